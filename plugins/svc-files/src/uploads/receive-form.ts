/**
 * Takes a form through @fastify/multipart: files go to where they are kept as they come, and text fields are validated.
 * Nothing of it stays unless the form is complete and valid. The body is not read before `admit` agrees.
 */
import type { Multipart, MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { boundedValidation } from 'svc-kernel/plugin'
import type { ContentSource } from '../content/measured-content.ts'
import { FileTooLarge, FormTooLarge, InvalidForm, NoFile, NotAForm } from '../errors.ts'
import type { StoredFile } from '../records/stored-file.ts'
import { fieldsSchema, type UploadRules } from './upload.ts'

/** What a form had. */
export interface ReceivedForm {
  /** In the order of the form; at least one. */
  readonly files: readonly StoredFile[]
  /** Text fields, as their schema has them. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** Where the files of a form go. */
export interface FormTarget {
  /** @param bytes that files have at least, as far as that is known */
  admit(bytes: number): Promise<void>
  stage(content: ContentSource, file: { readonly name: string; readonly type: string }): Promise<StoredFile>
  keep(ids: readonly string[]): Promise<void>
  discard(id: string): Promise<void>
}

type FormRules = UploadRules & { readonly maxBytes: number }

const MOST_FIELDS = 100
const FIELD_BYTES = 65_536
/** Boundaries and headers of parts. */
const OVERHEAD_BYTES = 4_096

export async function receiveForm(
  request: FastifyRequest,
  rules: FormRules,
  target: FormTarget
): Promise<ReceivedForm> {
  if (!request.isMultipart()) throw new NotAForm()
  const { maxFiles = 1 } = rules
  const overhead = OVERHEAD_BYTES * (maxFiles + 1) + FIELD_BYTES * Object.keys(rules.fields ?? {}).length
  const announced = Number(request.headers['content-length'] ?? 0) - overhead
  if (announced > rules.maxBytes * maxFiles) throw new FileTooLarge(String(rules.maxBytes))
  await target.admit(Math.max(1, announced))
  const staged: StoredFile[] = []
  try {
    const fields = await readParts(request, rules, async (part) => {
      const source = bytesOf(part)
      const file = await target.stage(source, { name: part.filename ?? '', type: part.mimetype })
      // Browsers send an empty part for a control without a file.
      if (file.bytes === 0 && !part.filename) await target.discard(file.id)
      else staged.push(file)
    })
    if (staged.length === 0) throw new NoFile()
    const valid = validFields(rules, fields)
    if (rules.stage !== true) await target.keep(staged.map(({ id }) => id))
    return { files: staged, fields: valid }
  } catch (error) {
    for (const { id } of staged) await target.discard(id)
    // What is still to come is thrown away, so that the client can read the answer.
    request.raw.unpipe()
    request.raw.resume()
    throw error
  }
}

type Fields = Record<string, unknown>

async function readParts(
  request: FastifyRequest,
  { maxFiles = 1 }: FormRules,
  take: (part: MultipartFile) => Promise<void>
): Promise<Fields> {
  const fields: Fields = Object.create(null)
  const limits = {
    files: maxFiles,
    fields: MOST_FIELDS,
    parts: maxFiles + MOST_FIELDS,
    fieldSize: FIELD_BYTES,
    // Files are bounded where they are written.
    fileSize: Number.MAX_SAFE_INTEGER
  }
  for await (const part of readable(request.parts({ limits }))) {
    if (part.type === 'file') await take(part)
    else if (part.valueTruncated) throw new FormTooLarge(`a field of ${FIELD_BYTES} bytes`)
    else addField(fields, part.fieldname, part.value)
  }
  return fields
}

/** A name that comes again makes a list. */
function addField(fields: Fields, name: string, value: unknown): void {
  const before = fields[name]
  fields[name] = before === undefined ? value : [before, value].flat()
}

/** What the parser throws, as errors of ours. */
async function* readable<Part extends Multipart>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  try {
    yield* parts
  } catch (error) {
    throw formError(error)
  }
}

/** The content of a part; where the form ends in it, that is a fault of the form. */
async function* bytesOf({ file }: MultipartFile): AsyncGenerator<Uint8Array> {
  try {
    yield* file
  } catch (error) {
    throw formError(error)
  }
}

const LIMITS: Readonly<Record<string, string>> = {
  FST_FILES_LIMIT: 'files',
  FST_FIELDS_LIMIT: 'fields',
  FST_PARTS_LIMIT: 'parts'
}

function formError(cause: unknown): Error {
  const { code, message } = cause as { code?: string; message: string }
  const what = LIMITS[code ?? '']
  return what === undefined ? new InvalidForm(message, { cause }) : new FormTooLarge(what, { cause })
}

type Verdict = true | { readonly error: object }

/** Fields are texts, and so they are read as parameters are. */
const compile = boundedValidation({ coerceTypes: 'array', removeAdditional: true, useDefaults: true })

/** By the text of their schema, so that rules that are written in a call are compiled once. */
const validators = new Map<string, (fields: Fields) => Verdict>()

function validFields(rules: UploadRules, fields: Fields): Fields {
  const schema = fieldsSchema(rules)
  const text = JSON.stringify(schema)
  const validate = validators.get(text) ?? compile(schema)
  validators.set(text, validate)
  const verdict = validate(fields)
  if (verdict === true) return fields
  throw invalidFields(verdict.error)
}

/** As Fastify refuses a body. */
function invalidFields(found: object): Error {
  const { validation, unlisted = 0 } = Array.isArray(found)
    ? { validation: found as readonly Fault[] }
    : (found as { readonly validation: readonly Fault[]; readonly unlisted?: number })
  const [{ instancePath = '', message = 'is not valid' } = {}] = validation
  const error = new Error(`body${instancePath} ${message}`)
  const code = 'FST_ERR_VALIDATION'
  return Object.assign(error, { statusCode: 400, code, validation, unlisted, validationContext: 'body' })
}

interface Fault {
  readonly instancePath?: string
  readonly message?: string
}
