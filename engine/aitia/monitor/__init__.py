"""How runs go: figures per method and model, alerts, and a form for Prometheus."""

from aitia.monitor.alerts import Alert, watch
from aitia.monitor.figures import RunFigures, figures

__all__ = ["Alert", "RunFigures", "figures", "watch"]
