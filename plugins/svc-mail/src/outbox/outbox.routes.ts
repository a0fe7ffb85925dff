/** The mails of the outbox, for administrators: listed, one of them whole, and its HTML as a page that does nothing. */
import type { FastifyInstance, FastifySchema } from 'fastify'
import { adminRoute, strictQuery } from 'svc-kernel/plugin'
import { closed, object, text } from 'svc-kernel/schemas'
import { MailNotFound } from '../errors.ts'
import type { MailFilter, Outbox, SentMail } from '../transports/outbox.ts'
import * as answers from './answers.ts'
import { PREVIEW_HEADERS, withImages } from './html-preview.ts'

const OUTBOX_API = '/svc/mail/api/outbox'

const querystring = closed({}, { to: { type: 'string', maxLength: 254 }, subject: { type: 'string', maxLength: 900 } })

const params = object({ number: { type: 'integer', minimum: 1 } })

interface ByNumber {
  readonly Params: { readonly number: number }
}

export function outboxRoutes(fastify: FastifyInstance, outbox: Outbox): void {
  /** @throws MailNotFound */
  const found = (number: number): SentMail => {
    const mail = outbox.list().find((each) => each.number === number)
    if (mail === undefined) throw new MailNotFound()
    return mail
  }

  fastify.get<{ Querystring: MailFilter }>(
    OUTBOX_API,
    route(
      'outbox',
      'Mails of the outbox, the newest first, without their texts',
      { querystring, response: { 200: answers.mails } },
      Object.keys(querystring.properties)
    ),
    async ({ query }, reply) => {
      reply.header('cache-control', 'no-store')
      return { mails: outbox.list(query) }
    }
  )

  fastify.get<ByNumber>(
    `${OUTBOX_API}/:number`,
    route('outbox.mail', 'A mail of the outbox', { params, response: { 200: answers.mail }, errors: [MailNotFound] }),
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const mail = found(request.params.number)
      const attachments = mail.attachments.map(({ filename, contentType, base64 }) => {
        return { filename, contentType, bytes: Buffer.byteLength(base64, 'base64') }
      })
      return { ...mail, attachments }
    }
  )

  fastify.get<ByNumber>(
    `${OUTBOX_API}/:number/html`,
    route('outbox.html', 'The HTML of a mail as a page without scripts and loads', {
      params,
      response: { 200: { description: 'A page', content: { 'text/html': { schema: text } } } },
      errors: [MailNotFound]
    }),
    async (request, reply) => {
      const { html, attachments } = found(request.params.number)
      if (html === null) throw new MailNotFound()
      return reply.headers(PREVIEW_HEADERS).header('cache-control', 'no-store').send(withImages(html, attachments))
    }
  )
}

/** Options of a route. @param name what reports call it @param query the parameters that it takes */
function route(name: string, summary: string, schema: FastifySchema, query: readonly string[] = []) {
  return {
    ...adminRoute(`svc.mail.${name}`),
    preValidation: strictQuery(query),
    schema: { ...schema, tags: ['mail'], summary }
  }
}
