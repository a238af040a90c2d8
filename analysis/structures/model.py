"""What every model shares: its parameters by the names of its constructor."""

from inspect import signature
from typing import Any, Self


class Model:
    """Parameters of a model, by the names of its constructor.

    Examples
    --------
    >>> class Fixed(Model):
    ...     def __init__(self, iterations=2):
    ...         self.iterations = iterations
    >>> Fixed(), Fixed(iterations=3).get_params()
    (Fixed(iterations=2), {'iterations': 3})
    """

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name; `deep` is there for scikit-learn and changes nothing."""
        return {name: getattr(self, name) for name in signature(type(self)).parameters}

    def set_params(self, **parameters: Any) -> Self:
        """Change parameters by name; call `fit` again afterwards.

        Raises
        ------
        ValueError
            Names a parameter that the model does not have.
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
