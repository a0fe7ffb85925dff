/** Where an application listens, and how long its stop may take: `config.server` with its defaults. */
import type { SvcConfig } from './define-config.ts'

interface Configured {
  readonly config: SvcConfig
}

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

/** How long a stop may take, in milliseconds. */
export function closeGraceMs({ config }: Configured): number {
  return config.server?.closeGraceMs ?? 10_000
}
