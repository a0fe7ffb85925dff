/**
 * Takes a renewed certificate over while the application runs: its files are looked at once a minute, also behind the
 * links of certbot and of mounted secrets. Open connections keep theirs. Files that do not serve, as half of a renewal,
 * change nothing: that is one line of the log, and they are looked at again.
 */
import { X509Certificate } from 'node:crypto'
import type { Server as TlsServer } from 'node:https'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import type { TlsSettings } from './https-certificate.ts'

/** How often the files are read, in milliseconds. */
export const RENEWAL_CHECK_MS = 60_000

export interface RenewalParts {
  /** Rejects where the files do not serve. */
  readonly read: () => Promise<TlsSettings>
  readonly log: FastifyBaseLogger
  readonly clock: Clock
}

export class CertificateRenewal {
  readonly #server: Pick<TlsServer, 'setSecureContext'>
  readonly #parts: RenewalParts
  #served: string
  #failure: string | null = null
  #timer: unknown = null
  #closed = false

  /** @param settings those that `server` serves with now */
  constructor(server: Pick<TlsServer, 'setSecureContext'>, settings: TlsSettings, parts: RenewalParts) {
    this.#server = server
    this.#parts = parts
    this.#served = fingerprint(settings)
    this.#later()
  }

  stop(): void {
    this.#closed = true
    this.#parts.clock.clearTimeout(this.#timer)
  }

  #later(): void {
    if (!this.#closed) this.#timer = this.#parts.clock.setTimeout(() => void this.#look(), RENEWAL_CHECK_MS)
  }

  async #look(): Promise<void> {
    const { read, log } = this.#parts
    try {
      const settings = await read()
      this.#failure = null
      const found = fingerprint(settings)
      if (found !== this.#served && !this.#closed) {
        this.#server.setSecureContext(settings)
        this.#served = found
        const { validTo } = new X509Certificate(settings.cert)
        log.info({ validTo }, 'new connections use the renewed certificate')
      }
    } catch (error) {
      const { message } = error as Error
      if (message !== this.#failure) {
        const fields = { code: 'SVC_HTTPS_RENEWAL', err: error }
        log.error(fields, 'the new certificate files cannot be used; the server keeps the previous certificate')
      }
      this.#failure = message
    }
    this.#later()
  }
}

function fingerprint({ key, cert, ca }: TlsSettings): string {
  return JSON.stringify([key, cert, ca])
}
