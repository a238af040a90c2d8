"""Base class of models: access to the parameters of the constructor."""

from inspect import signature
from typing import Any, Self


class Model:
    """Base class that gives access to the parameters of the constructor by name.

    Examples
    --------
    >>> class Fixed(Model):
    ...     def __init__(self, iterations=2):
    ...         self.iterations = iterations
    >>> Fixed(), Fixed(iterations=3).get_params()
    (Fixed(iterations=2), {'iterations': 3})
    """

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; `deep` exists for scikit-learn and has no effect."""
        return {name: getattr(self, name) for name in signature(type(self)).parameters}

    def set_params(self, **parameters: Any) -> Self:
        """Change parameters by name; call `fit` again afterwards.

        Raises
        ------
        ValueError
            If the model does not have a parameter of this name.
        """
        known = self.get_params()
        for name, value in parameters.items():
            if name not in known:
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(known)}.")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.get_params().items())})"

    def _require_fit(self, attribute: str) -> None:
        if not hasattr(self, attribute):
            raise ValueError(f"this {type(self).__name__} is not fitted yet: call fit(tokens) first.")
