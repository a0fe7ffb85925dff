/** The application's config: an ordered list of modules decides what loads, `server` where it listens. */
import type { FastifyPluginAsync, FastifyPluginCallback, FastifyServerOptions } from 'fastify'

// Any plugin may be in the list, whatever its options; each checks its own.
// biome-ignore lint/suspicious/noExplicitAny: the list holds plugins of every option type
export type AnyPlugin = FastifyPluginAsync<any> | FastifyPluginCallback<any>

/** A plugin, or a plugin with its options. */
export type ModuleEntry = AnyPlugin | readonly [plugin: AnyPlugin, options: object]

/** Development shows causes and readable logs; production hides them; test is silent. */
export type Mode = 'development' | 'production' | 'test'

/** What https asks of clients. */
export interface TlsChoices {
  /** Paths of the PEM files of the authorities whose certificates clients prove themselves with. */
  ca?: string | readonly string[]
  /** Asks clients for a certificate; needs `ca`. Default off. */
  requestCert?: boolean
  /** `false` serves clients without a certificate of `ca` too: the application looks at `socket.authorized`. Default on. */
  rejectUnauthorized?: boolean
  /** Default `TLSv1.2`. */
  minVersion?: 'TLSv1.2' | 'TLSv1.3'
  /** Cipher suites in the form of OpenSSL, the best first. Default: those of Node. */
  ciphers?: string
}

/** Where https listens, with which certificate, and what it asks of clients. */
export interface HttpsConfig extends TlsChoices {
  /** Default: that of the plain port. */
  host?: string
  /** Default 5152. */
  port?: number
  /** Path of the PEM file of the key, not encrypted; from the folder of package.json. */
  key?: string
  /** Path of the PEM file of the certificate and its chain. */
  cert?: string
}

/**
 * What a request leaves in the log. `answers`: one line, once it is answered. `fastify`: the two lines of Fastify, with
 * address and URL. `off`: none.
 */
export type RequestLogChoice = 'answers' | 'fastify' | 'off'

/** How the server listens; everything else in it goes to Fastify as it is. */
export interface ServerConfig extends Omit<FastifyServerOptions, 'serverFactory' | 'https' | 'http2'> {
  /** Default `127.0.0.1`. */
  host?: string
  /** Default 5151. */
  port?: number
  /**
   * Serves https too, on 5152. Without key and certificate, development makes its own;
   * production refuses to start. Default off.
   */
  https?: boolean | HttpsConfig
  /** Connections of each port; 0 for no limit. Default 0. */
  maxConnections?: number
  /**
   * Connections of each port and address (an IPv4 address, or the /64 of an IPv6 one); 0 for no limit. Default 2000, and
   * 0 with `trustProxy`.
   */
  maxConnectionsPerAddress?: number
  /** How long closing may take, in milliseconds. Default 10000. */
  closeGraceMs?: number
  /** How long requests are served on after a signal, with readiness at 503, in milliseconds. Default 0. */
  drainDelayMs?: number
  /**
   * What a request leaves in the log. Default `answers`, in the log of development `off`; not beside `logController`,
   * which decides alone.
   */
  requestLog?: RequestLogChoice
}

/** What `svc.config.ts` exports. */
export interface SvcConfig {
  /** Application name, shown in the banner. Default: the name in package.json. */
  name?: string
  /** Default: `NODE_ENV` where that is `development` or `test`, else `production`. */
  mode?: Mode
  server?: ServerConfig
  modules: readonly ModuleEntry[]
}

/** Types and freezes a config. It is checked when the application boots, together with all its modules. */
export function defineConfig(config: SvcConfig): Readonly<SvcConfig> {
  const { modules } = config
  return Object.freeze({ ...config, ...(Array.isArray(modules) ? { modules: Object.freeze([...modules]) } : {}) })
}

interface Configured {
  readonly config: SvcConfig
}

/** The address that a server listens on. */
export interface ListenTarget {
  readonly host: string
  readonly port: number
  /** The key of the config that holds host and port. Default `server`. */
  readonly setting?: string
}

/** Where an application listens: its own choice, else 127.0.0.1:5151. */
export function listenTarget({ config }: Configured): ListenTarget {
  return { host: config.server?.host ?? '127.0.0.1', port: config.server?.port ?? 5151 }
}

/** Where it listens for https too. @returns `null` where https is off; else its own choice, else the host of the plain port and 5152 */
export function httpsTarget({ config: { server = {} } }: Configured): ListenTarget | null {
  const { https = false } = server
  if (https === false) return null
  const { host = server.host ?? '127.0.0.1', port = 5152 } = https === true ? {} : https
  return { host, port, setting: 'server.https' }
}

/** How long a stop takes: first it serves on, then it closes. Milliseconds. */
export function stopTimes({ config: { server = {} } }: Configured): { drainDelayMs: number; graceMs: number } {
  return { drainDelayMs: server.drainDelayMs ?? 0, graceMs: server.closeGraceMs ?? 10_000 }
}
