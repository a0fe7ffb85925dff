/** Every error that svc-mail raises. A published code never changes. */
import { createError } from '@fastify/error'
import { expectedError } from 'svc-kernel/plugin'

/** 400: a mail cannot be sent as it is. Fix: correct the field that the message names. */
export const InvalidMail = expectedError<[fault: string]>('SVC_MAIL_INVALID', 'the mail is not valid: %s', 400)

/** 400: the data of a template is not what its schema says. Fix: correct the values that the message names. */
export const InvalidMailData = expectedError<[template: string, faults: string]>(
  'SVC_MAIL_DATA',
  'the data of the mail "%s" is not valid: %s',
  400
)

/** 400: a value of a template would be a link to another scheme, such as `javascript:`. Fix: pass an http, https, mailto or cid URL, or a relative one. */
export const InvalidMailLink = expectedError<[scheme: string]>(
  'SVC_MAIL_LINK',
  'a link of the mail begins with "%s:", expected an http, https, mailto or cid URL, or a relative one',
  400
)

/** thrown: a template puts a value into a tag outside of quotes. Fix: quote the value: `<a href="${url}">`. */
export const UnquotedMailValue = createError<[before: string]>(
  'SVC_MAIL_UNQUOTED',
  'a value inside of a tag needs quotes around it, after: %s',
  500
)

/** 404: the outbox has no such mail, or no longer. Fix: look the mail up in the list; the outbox has the last 200. */
export const MailNotFound = expectedError('SVC_MAIL_NOT_FOUND', 'the outbox has no such mail', 404)

/** recorded: the mail server did not take a mail at the moment. Fix: none needed; the mail is tried again. */
export const MailDeferred = createError<[reason: string]>(
  'SVC_MAIL_DEFERRED',
  'the mail server did not take the mail: %s',
  503
)

/** thrown by a transport, recorded: the mail server refuses a mail for good. Fix: read its answer in the record of the job. */
export const MailRefused = createError<[reason: string]>(
  'SVC_MAIL_REFUSED',
  'the mail server refused the mail: %s',
  500
)

/** rejected: no mail came within the time. Fix: check that the application sends it, and the filter. */
export const NoMail = createError<[seconds: string, there: string]>(
  'SVC_MAIL_NONE',
  'no such mail came within %s seconds; in the outbox: %s',
  500
)
