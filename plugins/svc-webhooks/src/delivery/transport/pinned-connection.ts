/**
 * One connection to one checked set of addresses, for one delivery at a time. It serves again where an answer was read to
 * its end; after anything else it is destroyed, also while it still connects.
 */
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { type SecureContext, connect as secureConnect } from 'node:tls'
import { Client, type Dispatcher, errors } from 'undici'
import { type CanonicalAddress, canonicalAddress } from '../../ssrf/address-policy.ts'
import { SsrfError } from '../../ssrf/ssrf-error.ts'
import type { CheckedTarget } from '../../ssrf/url-guard.ts'

/** What a POST sends, without `host`, `connection` and `content-length`. */
export interface PostContent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface Answer {
  readonly status: number
  /** The beginning, as the receiver wrote it: never decompressed. */
  readonly body: string
  /** The header `Retry-After`, as received. */
  readonly retryAfter: string | null
  /** Read to its end: the connection may serve again. */
  readonly complete: boolean
}

/** What a record keeps of a body, and how much is read of it: an answer beyond is cut off with its connection. */
const KEPT_BYTES = 2048
const READ_BYTES = 65_536

/** Interim answers (1xx) of which a receiver may send a few. */
const MOST_INTERIM = 8

/** How long an idle connection stays; a receiver's own hint may say less, or a little more. */
const IDLE_MS = 4000
const IDLE_AT_MOST_MS = 10_000

const HEADER_BYTES = 16_384

export class PinnedConnection {
  readonly key: string
  readonly #client: Client
  #socket: Socket | null = null
  /** Bytes received before the delivery under way; `null` while the connection has not served any. */
  #receivedBefore: number | null = null
  #served = 0

  /** @param key of origin and addresses: deliveries to the same may share the connection */
  constructor(key: string, target: CheckedTarget, secureContext: SecureContext) {
    this.key = key
    this.#client = new Client(target.url.origin, {
      connect: (_options, callback) => {
        const socket = openPinnedSocket(target, secureContext, (error) => {
          if (error === null) callback(null, socket)
          else callback(error, null)
        })
        this.#socket = socket
      },
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: HEADER_BYTES,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_AT_MOST_MS
    })
  }

  get isOpen(): boolean {
    return this.#socket !== null && !this.#socket.destroyed
  }

  /**
   * Of a delivery that failed: the connection had served before, and not a byte of an answer came. The receiver may
   * have closed it while it was idle.
   */
  get wasStale(): boolean {
    return this.#receivedBefore !== null && this.#socket?.bytesRead === this.#receivedBefore
  }

  /** Calls `gone` when the connection ends, by whichever side. */
  onceGone(gone: () => void): void {
    this.#client.once('disconnect', gone)
  }

  /**
   * Sends a POST and reads its answer. Rejects, with the connection destroyed, when there is none.
   *
   * @param onLimit takes what ends the attempt from outside
   */
  post(path: string, content: PostContent, onLimit: (stop: (why: Error) => void) => void): Promise<Answer> {
    this.#receivedBefore = this.#served === 0 ? null : (this.#socket?.bytesRead ?? null)
    this.#served += 1
    return new Promise((resolve, reject) => {
      // Settled first: what undici reports of the destruction is no longer heard.
      const fail = (error: Error) => {
        reject(error)
        void this.destroy()
      }
      const done = (answer: Answer) => {
        resolve(answer)
        if (!answer.complete) void this.destroy()
      }
      // The limit covers the whole attempt; undici's own time limits start again with each byte.
      const { headers, body } = content
      const options = { method: 'POST', path, headers, body, headersTimeout: 0, bodyTimeout: 0 }
      onLimit(fail)
      this.#client.dispatch(options, answerReader(done, fail))
    })
  }

  /** Resolves when the socket is closed. */
  async destroy(): Promise<void> {
    // undici knows a socket only once it is connected.
    this.#socket?.destroy()
    await this.#client.destroy()
  }
}

/** Reads one answer, and no more of it than a record keeps. */
function answerReader(done: (answer: Answer) => void, fail: (error: Error) => void): Dispatcher.DispatchHandler {
  const kept: Buffer[] = []
  let room = KEPT_BYTES
  let readBytes = 0
  let interim = 0
  let status = 0
  let retryAfter: string | null = null
  const finish = (complete: boolean) => {
    // Cut between characters: what a cut leaves of the last one is dropped.
    const body = new TextDecoder().decode(Buffer.concat(kept), { stream: readBytes > KEPT_BYTES })
    done({ status, body, retryAfter, complete })
  }
  return {
    // Asked for by undici; there is nothing to begin.
    onRequestStart: () => undefined,
    onResponseStart(_controller, code, headers) {
      if (code < 200) {
        interim += 1
        if (interim > MOST_INTERIM) fail(new errors.HeadersOverflowError('too many interim responses'))
        return
      }
      status = code
      if (typeof headers['retry-after'] === 'string') retryAfter = headers['retry-after']
    },
    onResponseData(_controller, chunk) {
      readBytes += chunk.length
      if (room > 0) {
        // A copy: a part of the chunk would hold the whole of it in memory.
        const part = Buffer.from(chunk.subarray(0, room))
        kept.push(part)
        room -= part.length
      }
      if (readBytes > READ_BYTES) finish(false)
    },
    onResponseEnd: () => finish(true),
    onResponseError: (_controller, error) => fail(error)
  }
}

/**
 * Connects to checked addresses and to no other, while the name stays what TLS asks for and verifies. A name is
 * "resolved" to the checked list; a literal host never reaches that look-up, so the peer's address is compared as well.
 *
 * @param secureContext what the certificate of a server is verified with
 * @param settled called once: with null when the socket may be used, with the error when it may not
 * @returns the socket, connecting: a caller that gives up destroys it
 */
export function openPinnedSocket(
  { url, addresses }: CheckedTarget,
  secureContext: SecureContext,
  settled: (error: Error | null) => void
): Socket {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const to = { host, lookup: pinnedLookup(addresses), autoSelectFamily: true, noDelay: true }
  const socket =
    url.protocol === 'https:'
      ? secureConnect({
          ...to,
          port: Number(url.port || 443),
          // None for an address, and never with the final dot of a name (RFC 6066, section 3).
          servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
          ALPNProtocols: ['http/1.1'],
          secureContext,
          rejectUnauthorized: true
        })
      : connect({ ...to, port: Number(url.port || 80) })
  socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
    if (!isChecked(socket.remoteAddress, addresses)) {
      socket.destroy(new SsrfError('address'))
      return
    }
    // From here on the user of the socket handles its errors.
    socket.off('error', settled)
    settled(null)
  })
  socket.once('error', settled)
  return socket
}

function isChecked(peer: string | undefined, addresses: readonly CanonicalAddress[]): boolean {
  const address = canonicalAddress(peer ?? '')?.address
  return addresses.some((checked) => checked.address === address)
}

/** Answers in either form that Node asks for: all addresses, to try them in turn, or the first. */
function pinnedLookup(addresses: readonly CanonicalAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [first] = addresses
    if (all) callback(null, [...addresses])
    else if (first !== undefined) callback(null, first.address, first.family)
  }
}
