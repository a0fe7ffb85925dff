/** Every error svc-webhooks can raise. A code, once published, never changes. */
import createError from '@fastify/error'

/** The text of the secret is never part of the message. */
export const InvalidWebhookSecret = createError<[finding: string]>(
  'SVC_WEBHOOKS_BAD_SECRET',
  'the webhook secret %s',
  500,
  TypeError
)

export const InvalidCidr = createError<[cidr: string]>(
  'SVC_WEBHOOKS_BAD_CIDR',
  '"%s" is not a network such as 10.0.0.0/8 or fd00::/8, written with its first address',
  500,
  TypeError
)

/** 422, thrown as `SsrfError`, which fixes the text. */
export const UrlRefused = createError<[text: string]>('SVC_WEBHOOKS_URL_REFUSED', '%s', 422, Error, false)

/** 401, thrown as `WebhookVerificationError`, which also has causes of its own with 400. */
export const MessageRefused = createError<[text: string]>('SVC_WEBHOOKS_SIGNATURE', '%s', 401, Error, false)
