/** The options of svc-files. Live objects are passed under `parts`. */
import type { FastifyRequest } from 'fastify'
import type { Clock, ConfigOf, OptionsOf } from 'svc-kernel'
import { storeOption } from 'svc-stores/options'
import type { FileContent } from './content/file-content.ts'
import type { FileStore } from './records/file-store.ts'

const bytes = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const

export const optionsSchema = {
  $id: 'svc-files/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /** Where records of files are stored. */
    store: storeOption,
    /** The row scope of svc-orm that files belong to, such as `organization`. `false`: all belong to the application. */
    scope: { anyOf: [{ type: 'string', pattern: '^[A-Za-z][A-Za-z0-9]*$', maxLength: 40 }, { const: false }] },
    /** Keeps the content in a folder. */
    disk: {
      type: 'object',
      additionalProperties: false,
      properties: {
        /** Instances share it. A relative one begins at the folder of the application. */
        directory: { type: 'string', minLength: 1, default: 'data/files' }
      }
    },
    /** Keeps the content in a bucket, through @aws-sdk/client-s3 and @aws-sdk/lib-storage. */
    s3: {
      type: 'object',
      additionalProperties: false,
      required: ['bucket'],
      properties: {
        /** Not created by svc. */
        bucket: { type: 'string', minLength: 3, maxLength: 255 },
        /** Put before the keys of objects. */
        prefix: { type: 'string', default: 'files/', maxLength: 500 },
        /** Default: that of the environment. */
        region: { type: 'string', minLength: 1 },
        /** Of a server other than Amazon's: `https://minio.example.org`. */
        endpoint: { type: 'string', pattern: '^https?://' },
        /** `true`: the bucket is in the path of the URL, not in the name of the host. */
        forcePathStyle: { type: 'boolean', default: false }
      }
    },
    /** The largest file, in bytes, where an upload or `put` does not say. */
    maxBytes: { ...bytes, default: 10_000_000 },
    /** Of all files together, in bytes. */
    quota: {
      type: 'object',
      additionalProperties: false,
      properties: {
        /** Of one scope, in bytes. Default: no limit. */
        scopeBytes: bytes,
        /** Of one owner within a scope, in bytes. Default: no limit. */
        ownerBytes: bytes
      },
      default: {}
    },
    /** After this time a file that was never kept is removed, in seconds. No upload may take longer. */
    pendingS: { type: 'integer', minimum: 60, maximum: 31_536_000, default: 86_400 },
    /** How long the content stays after a file was removed, in seconds. */
    removedS: { type: 'integer', minimum: 0, maximum: 31_536_000, default: 0 },
    /** Between two purges, in seconds. */
    purgeS: { type: 'integer', minimum: 1, maximum: 86_400, default: 600 }
  }
} as const

/** Options of svc-files as an application passes them: defaults and bounds are in `docs/reference/options.md`. */
export type SvcFilesOptions = OptionsOf<typeof optionsSchema>

/** The checked options, with defaults, frozen. */
export type FilesConfig = ConfigOf<typeof optionsSchema>

/** Live objects that you may pass. They are neither validated as data nor cloned. */
export interface SvcFilesParts {
  readonly clock?: Clock
  /** To whom the files of a request belong; `null`: to nobody, and the call fails. In place of the option `scope`. */
  readonly scope?: (request: FastifyRequest) => string | null
  /** Keeps the content, in place of `disk` and `s3`. */
  readonly content?: FileContent
  /** A client of @aws-sdk/client-s3 with your credentials, for `s3`. Default: one with those of the environment. */
  readonly s3?: object
  /** Ready stores; they take precedence over `store`. */
  readonly stores?: { readonly files?: FileStore }
}
