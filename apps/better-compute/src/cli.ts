/** `better-compute/cli`: what a `better-compute.config.ts` and a program that hosts the server import. */
export { defineHost, type Host, type HostContext, type HostFactory, type McpMount } from './host/mounts.ts';
export { defineOptions, type Options, type OptionsInput } from './config/options.ts';
export { loadConfig, type LoadedConfig } from './config/load.ts';
export { startServe as serve } from './serve/serve.ts';
export { startDev as dev, type DevServer } from './dev/dev.ts';
export { doctor } from './doctor/doctor.ts';
export type { Finding } from './doctor/findings.ts';
export type { Plane } from './host/plane.ts';
