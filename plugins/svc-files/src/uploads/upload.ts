/** Says of a route that it takes files, for Fastify and svc-decorators alike: what it takes, and how that is described. */
import { describedBy, type RouteError } from 'svc-kernel/plugin'
import {
  FileTooLarge,
  FormTooLarge,
  InvalidForm,
  NoFile,
  NotAForm,
  QuotaExceeded,
  StorageFull,
  UnsupportedFileType
} from '../errors.ts'

/** What a form may have. */
export interface UploadRules {
  /** The largest file, in bytes. Default: the option `maxBytes`. */
  readonly maxBytes?: number | undefined
  /** Types that are taken, such as `image/png` or `image/*`; the bytes of a file decide. Default: all. */
  readonly types?: readonly string[] | undefined
  /** Files of a form. Default: 1. */
  readonly maxFiles?: number | undefined
  /** Text fields, by name, as JSON Schema; others are left out, as Fastify leaves out properties of a body. Default: none. */
  readonly fields?: Readonly<Record<string, object>> | undefined
  /** Fields that a form must have. */
  readonly required?: readonly string[] | undefined
  /** `true`: files stay staged, for `files.within(tx).keep(...)`. Default: they are stored once the form is complete. */
  readonly stage?: boolean | undefined
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What `fastify.files.upload(request)` takes on this route. */
    upload?: UploadRules
  }
}

/** Options of a route that takes files. */
export interface UploadRoute {
  readonly config: { readonly upload: UploadRules }
  readonly schema: {
    readonly consumes: string[]
    readonly body: object
    readonly errors: readonly RouteError[]
  }
}

const ERRORS: readonly RouteError[] = [
  FileTooLarge,
  QuotaExceeded,
  FormTooLarge,
  UnsupportedFileType,
  NotAForm,
  InvalidForm,
  NoFile,
  StorageFull
]

/**
 * Options for a route that calls `fastify.files.upload(request)`: `@Post('/files', upload({ types: ['image/*'] }))`, or
 * `fastify.post('/files', upload(), handler)`.
 */
export function upload(rules: UploadRules = {}): UploadRoute {
  // Nothing is validated here: the body is read by the handler, after every guard and hook.
  const body = Object.defineProperty({}, describedBy, { value: describedForm(rules), enumerable: true })
  return { config: { upload: rules }, schema: { consumes: ['multipart/form-data'], body, errors: ERRORS } }
}

/** The schema that text fields are validated with. */
export function fieldsSchema({ fields = {}, required = [] }: UploadRules): object {
  return { type: 'object', additionalProperties: false, properties: fields, required }
}

function describedForm(rules: UploadRules): object {
  const { maxFiles = 1, types, maxBytes, fields = {}, required = [] } = rules
  const taken = [
    types === undefined ? [] : `Types: ${types.join(', ')}.`,
    maxBytes === undefined ? [] : `At most ${maxBytes} bytes.`
  ].flat()
  const file = {
    type: 'string',
    format: 'binary',
    ...(types === undefined ? {} : { contentMediaType: types.join(', ') }),
    ...(taken.length === 0 ? {} : { description: taken.join(' ') })
  }
  const files = maxFiles === 1 ? file : { type: 'array', minItems: 1, maxItems: maxFiles, items: file }
  return { type: 'object', required: ['file', ...required], properties: { ...fields, file: files } }
}
