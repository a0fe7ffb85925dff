/** The mails of the outbox, for administrators. */
import type { FastifyInstance } from 'fastify'
import { adminRoute, strictQuery } from 'svc-kernel/plugin'
import type { Outbox } from './transports/outbox.ts'

const text = { type: 'string' } as const
const optionalText = { type: ['string', 'null'] } as const
const mailbox = { type: 'object', required: ['name', 'address'], properties: { name: text, address: text } } as const
const mailboxes = { type: 'array', items: mailbox } as const

const properties = {
  number: { type: 'integer' },
  sentAt: { type: 'number' },
  messageId: text,
  from: mailbox,
  to: mailboxes,
  cc: mailboxes,
  bcc: mailboxes,
  replyTo: mailboxes,
  subject: text,
  text,
  html: optionalText,
  headers: { type: 'object', additionalProperties: text },
  attachments: {
    type: 'array',
    items: {
      type: 'object',
      required: ['filename', 'contentType', 'bytes'],
      properties: { filename: text, contentType: optionalText, bytes: { type: 'integer' } }
    }
  }
} as const

const answer = {
  type: 'object',
  required: ['mails'],
  properties: { mails: { type: 'array', items: { type: 'object', required: Object.keys(properties), properties } } }
} as const

export function outboxRoutes(fastify: FastifyInstance, outbox: Outbox): void {
  fastify.get<{ Querystring: { to?: string; subject?: string } }>(
    '/svc/mail/api/outbox',
    {
      ...adminRoute('svc.mail.outbox'),
      preValidation: strictQuery(['to', 'subject']),
      schema: {
        querystring: {
          type: 'object',
          additionalProperties: false,
          properties: { to: { type: 'string', maxLength: 254 }, subject: { type: 'string', maxLength: 900 } }
        },
        response: { 200: answer }
      }
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const mails = outbox.list(request.query).map((mail) => ({
        ...mail,
        attachments: mail.attachments.map(({ filename, contentType, base64 }) => {
          return { filename, contentType, bytes: Buffer.byteLength(base64, 'base64') }
        })
      }))
      return { mails }
    }
  )
}
