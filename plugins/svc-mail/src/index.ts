/**
 * svc-mail: mails that a job sends: stored with what they belong to, tried again, and never sent by a request that failed.
 *
 * Decorates  fastify.mail
 * Hooks      onClose: closes the transport
 * Needs      svc-jobs (added when absent)
 */
import type { FastifyPluginAsync } from 'fastify'
import svcJobs from 'svc-jobs'
import { appHost, BootError, definePlugin, ensureKernel, readOptions, systemClock } from 'svc-kernel'
import { Mail } from './mail.ts'
import { defineMailJob } from './mail-job.ts'
import { readAddress } from './messages/address.ts'
import { type MailConfig, optionsSchema, type SvcMailOptions, type SvcMailParts } from './options.ts'
import { outboxRoutes } from './outbox/outbox.routes.ts'
import { chooseTransport } from './transports/choose-transport.ts'
import { Outbox } from './transports/outbox.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Present if svc-mail is registered. */
    mail: Mail
  }
}

const mail: FastifyPluginAsync<SvcMailOptions & { parts?: SvcMailParts }> = async (fastify, given) => {
  await ensureKernel(fastify)
  const options = readOptions<MailConfig>('svc-mail', optionsSchema, given)
  checkSender(options.from)
  const { clock = systemClock, transport: brought } = given.parts ?? {}
  const mode = fastify.hasDecorator('appHost') ? appHost(fastify).mode : undefined
  const transport = chooseTransport({ options, given: brought, mode, clock })
  if (!fastify.hasDecorator('jobs')) await fastify.register(svcJobs, { parts: { clock } })
  const log = fastify.log.child({ plugin: 'svc-mail' })
  defineMailJob(fastify.jobs, { transport, options, log })
  fastify.decorate('mail', new Mail(fastify.jobs, options, transport))
  if (transport instanceof Outbox) outboxRoutes(fastify, transport)
  fastify.addHook('onClose', async () => {
    await transport.close?.()
  })
}

function checkSender(from: string): void {
  try {
    readAddress('from', from)
  } catch {
    const problem = {
      code: 'SVC_MAIL_FROM',
      message: 'the sender of mails is no address',
      at: 'svc-mail.from',
      got: JSON.stringify(from),
      expected: 'name@example.org, or Name <name@example.org>',
      fix: "from: 'Shop <shop@example.org>'"
    }
    throw new BootError([problem])
  }
}

export default definePlugin(mail, { name: 'svc-mail', optionsSchema, after: ['svc-jobs'] })

export type { Mail, MailSender, SendOptions, TemplateMail } from './mail.ts'
export { readAddress } from './messages/address.ts'
export type {
  MailAddress,
  MailAttachment,
  Mailbox,
  MailContent,
  MailEnvelope,
  NewMail,
  OutgoingMail
} from './messages/message.ts'
export type { SvcMailOptions, SvcMailParts } from './options.ts'
export { defineMail, type MailTemplate, type TemplateContext } from './templates/define-mail.ts'
export { html } from './templates/html.ts'
export type { Delivery, MailTransport } from './transports/mail-transport.ts'
export type { MailFilter, Outbox, SentMail } from './transports/outbox.ts'
