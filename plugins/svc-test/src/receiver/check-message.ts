/** Whether a received message is what its sender signed. Pure but for the secrets' own arithmetic; time is given. */
import type { FastifyError } from 'fastify'
import { verifyWebhook, WebhookVerificationError } from 'svc-webhooks'
import { BadMessage, BadSignature } from '../errors.ts'

export interface GivenMessage {
  /** `null` where none was given: nothing can be verified then. */
  readonly secret: string | null
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  readonly toleranceS: number
  readonly now: () => number
}

/** @returns the refusal, or `null` for a message that holds */
export function checkMessage({ secret, ...message }: GivenMessage): FastifyError | null {
  if (secret === null) return new BadMessage('the query parameter secret is missing')
  try {
    verifyWebhook({ secret, ...message })
    return null
  } catch (error) {
    if (error instanceof WebhookVerificationError && error.statusCode === 400) return new BadMessage(error.message)
    // A secret that cannot be read is one that came apart on its way through a URL.
    return new BadSignature()
  }
}
