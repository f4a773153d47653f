// The health check of a container: exits with 0 when the process in it answers that it is ready, else with 1.

const { ok } = await fetch(`http://127.0.0.1:${process.env.STEWARD_METRICS_PORT}/health/ready`).catch(() => ({
  ok: false,
}));
process.exitCode = ok ? 0 : 1;
