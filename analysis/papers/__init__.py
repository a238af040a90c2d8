"""Layer 4: one module a paper; one function a table or figure, named by its number."""

from analysis.papers.recipe.printed import compare, printed

__all__ = ["compare", "printed"]
