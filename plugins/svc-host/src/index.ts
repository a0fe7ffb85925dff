/**
 * svc-host: runs an application. It reads the config, loads the modules in order, builds the HTTP and TLS server,
 * listens, and stops without cutting requests. Plugins that you register by hand need svc-kernel only.
 *
 * Decorates  fastify.appHost, on the server of an application
 * Hooks      of that server only: onRequest refuses a request without a host; preClose ends connections
 * Needs      nothing
 */
export type { Mode } from 'svc-kernel'
export { type Application, application } from './application/application.ts'
export { type LoadOptions, loadModules } from './application/load-modules.ts'
export { type ConfigCheck, checkConfig } from './config/check-config.ts'
export type { CheckedModule } from './config/check-modules.ts'
export {
  defineConfig,
  type HttpsConfig,
  httpsTarget,
  type ListenTarget,
  listenTarget,
  type ModuleEntry,
  type ServerConfig,
  type SvcConfig
} from './config/define-config.ts'
export { type ConfigText, locateProblems, readConfigText } from './config/locate-problems.ts'
export { missingCommaProblem } from './config/missing-comma.ts'
export { type EnvCatalogue, type EnvEntry, readEnv } from './config/read-env.ts'
export { DevLog } from './logging/dev-log.ts'
export { listenProblem } from './serve/listen-problem.ts'
export { refuseToStart, serve } from './serve/serve.ts'
export { banner, moduleNames } from './serve/start-banner.ts'
export { createServer, type ServerParts } from './server/http.ts'
export { httpsCertificate } from './tls/https-certificate.ts'
export { TlsListener } from './tls/tls-listener.ts'
