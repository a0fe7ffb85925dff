/**
 * Whether a request comes from a program of the same machine. A proxy there speaks for the
 * whole network and says so in its headers; a browser there may be led by a foreign page,
 * which shows in the host it asks for. Neither counts. Pure.
 */

export interface Origin {
  /** Of the socket, not of any header. */
  readonly remoteAddress: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

const LOOPBACK = /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/

/** With or without a port. */
const LOCAL_HOST = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i

const OF_PROXIES = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

export function fromLoopback({ remoteAddress = '', headers }: Origin): boolean {
  if (!LOOPBACK.test(remoteAddress) || OF_PROXIES.some((name) => headers[name] !== undefined)) return false
  return typeof headers.host === 'string' && LOCAL_HOST.test(headers.host)
}
