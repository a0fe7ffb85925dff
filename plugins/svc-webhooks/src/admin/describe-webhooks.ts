/**
 * The messages that receivers get, as an OpenAPI 3.1 document describes them: section
 * `webhooks`, one entry per deliverable action of the catalogue. Pure.
 */
import type { ApiDescription } from 'svc-kernel'
import { type Catalogue, type EventType, eventTypes } from '../endpoints/event-types.ts'

const TEST_TYPE = 'webhook.test'

const TAG = 'webhook messages'

/** @param toleranceS how old a message may be, as receivers check it */
export function describeWebhooks(
  catalogue: Catalogue,
  { toleranceS }: { readonly toleranceS: number }
): ApiDescription {
  const sent = eventTypes(catalogue).filter(({ type, deliverable }) => deliverable || type === TEST_TYPE)
  return {
    webhooks: Object.fromEntries(sent.map((event) => [event.type, { post: operation(event) }])),
    components: { schemas: { SvcWebhooksMessage: messageSchema }, parameters: headerParameters(toleranceS) },
    tags: [{ name: TAG, description: 'Signed messages (Standard Webhooks, v1) about events of the audit journal.' }]
  }
}

function operation({ type, category, outcomes, description }: EventType): object {
  const data = { properties: { category: { const: category }, outcome: { enum: outcomes } } }
  const schema = {
    allOf: [{ $ref: '#/components/schemas/SvcWebhooksMessage' }, { properties: { type: { const: type }, data } }]
  }
  return {
    operationId: `webhook.${type}`,
    summary: description,
    tags: [TAG],
    parameters: ['Id', 'Timestamp', 'Signature'].map((name) => ({
      $ref: `#/components/parameters/SvcWebhooks${name}`
    })),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Received. Answer quickly, and do the work after the answer.' },
      '4XX': { description: 'Refused. The message is not sent again, except after 408 and 429.' },
      '5XX': { description: 'The message is sent again later, with the same webhook-id.' }
    }
  }
}

const textOrNull = { type: ['string', 'null'] }

const messageSchema = {
  type: 'object',
  required: ['id', 'timestamp', 'type', 'data'],
  properties: {
    id: { type: 'string', description: 'the same on every attempt', pattern: '^msg_[A-Za-z0-9_-]+$' },
    timestamp: { type: 'string', format: 'date-time' },
    type: { type: 'string', description: 'the audit action' },
    data: {
      type: 'object',
      required: ['id', 'ts', 'category', 'action', 'outcome'],
      properties: {
        id: { type: 'string' },
        ts: { type: 'integer', description: 'epoch milliseconds' },
        category: { type: 'string' },
        action: { type: 'string' },
        outcome: { type: 'string' },
        actor: textOrNull,
        resource: textOrNull,
        reason: textOrNull,
        ip: textOrNull,
        userAgent: textOrNull,
        requestId: textOrNull,
        metadata: { type: 'object', description: 'details of the event, without secrets' }
      }
    }
  }
}

function headerParameters(toleranceS: number): Record<string, object> {
  return {
    SvcWebhooksId: header('webhook-id', 'Identifies the message. Process each id once.'),
    SvcWebhooksTimestamp: header(
      'webhook-timestamp',
      `Epoch seconds of the attempt. Refuse a message that is more than ${toleranceS} s away from your clock.`
    ),
    SvcWebhooksSignature: header(
      'webhook-signature',
      '`v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`; several are separated by a space.'
    )
  }
}

function header(name: string, description: string): object {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } }
}
