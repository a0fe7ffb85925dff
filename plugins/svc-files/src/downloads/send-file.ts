/**
 * Answers with a file: whole or a range of it, only where the client does not have it. A browser saves it, and shows it
 * only where its type is listed; whatever it is, it runs no script of this origin.
 */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { ByteRange } from '../content/file-content.ts'
import { ConditionFailed, RangeNotSatisfiable } from '../errors.ts'
import { contentDisposition, safeFileName } from '../metadata/file-name.ts'
import { isOf } from '../metadata/media-type.ts'
import type { StoredFile } from '../records/stored-file.ts'
import { readRange } from './byte-range.ts'
import { judgeConditions, rangeHolds, type Validators } from './conditions.ts'

/** How a file is sent. */
export interface SendOptions {
  /** Types that a browser may show in place of saving, such as `image/png`. Default: none. */
  readonly inline?: readonly string[]
  /** Under which name it is saved. Default: that of the file. */
  readonly name?: string
}

const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** @throws ConditionFailed (412), RangeNotSatisfiable (416), and as `open` */
export async function sendFile(
  reply: FastifyReply,
  file: StoredFile,
  open: (range?: ByteRange) => Promise<Readable>,
  options: SendOptions
): Promise<FastifyReply> {
  const { method, headers } = reply.request
  const validators: Validators = { tag: `"${file.sha256}"`, changedAt: file.createdAt }
  const verdict = judgeConditions(headers, validators)
  if (verdict === 'failed') throw new ConditionFailed()
  if (verdict === 'unchanged') {
    setValidators(reply, validators)
    return reply.code(304).send()
  }
  // `Range` is defined for GET alone.
  const asked = method === 'GET' && rangeHolds(headers, validators) ? readRange(headers.range, file.bytes) : null
  if (asked === 'unsatisfiable') {
    reply.header('content-range', `bytes */${file.bytes}`)
    throw new RangeNotSatisfiable()
  }
  const content = method === 'HEAD' ? Readable.from([]) : await open(asked ?? undefined)
  // What @fastify/compress would change has another tag and other ranges; it leaves such answers as they are.
  headers['x-no-compression'] ??= '1'
  setValidators(reply, validators)
  setFileHeaders(reply, file, options)
  const length = asked === null ? file.bytes : asked.end - asked.start + 1
  if (asked !== null) reply.code(206).header('content-range', `bytes ${asked.start}-${asked.end}/${file.bytes}`)
  return reply.header('content-length', length).send(content)
}

/** Those of a 200 that a 304 has too (RFC 9110, 15.4.5). */
function setValidators(reply: FastifyReply, { tag, changedAt }: Validators): void {
  reply.header('etag', tag).header('last-modified', new Date(changedAt).toUTCString())
  // A cache asks each time, and so the guard is asked each time.
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache')
}

function setFileHeaders(reply: FastifyReply, { type, name }: StoredFile, options: SendOptions): void {
  const { inline = [], name: given } = options
  const kind = inline.some((taken) => isOf(type, taken)) ? 'inline' : 'attachment'
  reply
    .header('content-type', type.startsWith('text/') ? `${type}; charset=utf-8` : type)
    .header('content-disposition', contentDisposition(kind, given === undefined ? name : safeFileName(given)))
    .header('accept-ranges', 'bytes')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', SANDBOX)
}
