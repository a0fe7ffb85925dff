/** Why a received message is refused, with the status that a receiver answers. No text holds a signature or a secret. */
import { MessageRefused } from '../errors.ts'

const FAULTS = {
  headers: ['SVC_WEBHOOKS_HEADERS', 400],
  stale: ['SVC_WEBHOOKS_STALE', 400],
  signature: ['SVC_WEBHOOKS_SIGNATURE', 401]
} as const

/**
 * `code` tells the cause apart: `SVC_WEBHOOKS_HEADERS` (400, a header is missing or malformed), `SVC_WEBHOOKS_STALE`
 * (400, beyond the tolerance), `SVC_WEBHOOKS_SIGNATURE` (401, no signature fits).
 */
export class WebhookVerificationError extends MessageRefused {
  override readonly statusCode: 400 | 401
  override readonly code: string

  constructor(fault: keyof typeof FAULTS, text: string) {
    super(text)
    const [code, statusCode] = FAULTS[fault]
    this.name = 'WebhookVerificationError'
    this.code = code
    this.statusCode = statusCode
  }
}
