/** The messages that endpoints get, as an OpenAPI 3.1 document describes them: section `webhooks`, an entry for each event. Pure. */
import type { ApiDescription } from 'svc-kernel'
import type { EventType } from '../definitions/event-catalogue.ts'

const TAG = 'event messages'

export function describeMessages(types: readonly EventType[]): ApiDescription {
  return {
    webhooks: Object.fromEntries(types.map((event) => [event.type, { post: operation(event) }])),
    components: { parameters: PARAMETERS },
    tags: [{ name: TAG, description: 'Signed messages (Standard Webhooks, v1) about events of an organisation.' }]
  }
}

function operation(event: EventType): object {
  const { type, description } = event
  return {
    operationId: `event.${type}`,
    summary: description ?? type,
    tags: [TAG],
    parameters: Object.keys(PARAMETERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: { required: true, content: { 'application/json': content(event) } },
    responses: {
      '2XX': { description: 'Received. Answer quickly, and do the work after the answer.' },
      '4XX': { description: 'Refused. The message is not sent again, except after 408 and 429.' },
      '5XX': { description: 'The message is sent again later, with the same webhook-id.' }
    }
  }
}

function content({ type, version, schema, example }: EventType): object {
  const message = {
    type: 'object',
    required: ['id', 'timestamp', 'type', 'event', 'version', 'data'],
    properties: {
      id: { type: 'string', description: 'the same on every attempt' },
      timestamp: { type: 'string', format: 'date-time', description: 'when it happened' },
      type: { const: type },
      event: { type: 'string', description: 'the same for every receiver of this event' },
      version: { const: version },
      data: schema ?? {}
    }
  }
  if (example === null) return { schema: message }
  const at = '2026-01-01T00:00:00.000Z'
  const id = '019b7d3e-5c00-7000-8000-000000000000'
  return {
    schema: message,
    example: { id: 'msg_2mDUPl0lMzcGZCVn5Yk1nhRk', timestamp: at, type, event: id, version, data: example }
  }
}

const PARAMETERS = {
  SvcEventsId: header('webhook-id', 'Identifies the message. Process each id once.'),
  SvcEventsTimestamp: header(
    'webhook-timestamp',
    'Epoch seconds of the attempt. Refuse a message that is more than 300 s away.'
  ),
  SvcEventsSignature: header(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`; several are separated by a space.'
  )
}

function header(name: string, description: string): object {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } }
}
