"""Layer 4: one module per paper; one function per table or figure, named by its number."""

from analysis.papers.recipe.printed import compare, printed

__all__ = ["compare", "printed"]
