/**
 * Content in a bucket. An object appears when it is complete; an upload in parts that fails is aborted, and one that a
 * killed process left is aborted by `remove`. Both packages of AWS are optional peers, loaded where `s3` is configured.
 */
import { Readable } from 'node:stream'
import type * as ClientS3 from '@aws-sdk/client-s3'
import type * as LibStorage from '@aws-sdk/lib-storage'
import { optionalPackage } from 'svc-kernel/plugin'
import { ContentMissing, InvalidFileCall } from '../errors.ts'
import { type ByteRange, CONTENT_ID, type FileContent } from './file-content.ts'

export interface S3Settings {
  readonly bucket: string
  readonly prefix: string
  readonly region?: string
  readonly endpoint?: string
  readonly forcePathStyle: boolean
}

/** Of an upload in parts; an object has 10 000 at most, so 80 GB. */
const PART_BYTES = 8 * 1024 * 1024

const USE = { what: 'the option s3 of svc-files', at: 'svc-files.s3' }

export class S3Content implements FileContent {
  readonly #settings: S3Settings
  readonly #s3: typeof ClientS3
  readonly #storage: typeof LibStorage
  readonly #client: ClientS3.S3Client
  readonly #isOwn: boolean

  /** @param given the client of the application, which it closes itself @throws BootError SVC_NOT_INSTALLED */
  constructor(settings: S3Settings, given?: object) {
    this.#settings = settings
    this.#s3 = optionalPackage<typeof ClientS3>('@aws-sdk/client-s3', import.meta.url, USE)
    this.#storage = optionalPackage<typeof LibStorage>('@aws-sdk/lib-storage', import.meta.url, USE)
    this.#isOwn = given === undefined
    this.#client = (given as ClientS3.S3Client | undefined) ?? this.#makeClient()
  }

  async write(id: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const body = Readable.from(content, { objectMode: false })
    const upload = new this.#storage.Upload({
      client: this.#client,
      params: { ...this.#object(id), Body: body },
      partSize: PART_BYTES,
      // One part waits in memory while the next is read.
      queueSize: 1
    })
    try {
      await upload.done()
    } finally {
      body.destroy()
    }
  }

  async read(id: string, { start, end }: ByteRange): Promise<Readable> {
    const range = { Range: `bytes=${start}-${end}` }
    try {
      const { Body, ContentLength } = await this.#client.send(
        new this.#s3.GetObjectCommand({ ...this.#object(id), ...range })
      )
      const body = Body as Readable
      if (ContentLength === end - start + 1) return body
      body.destroy()
    } catch (cause) {
      const { name, $metadata } = cause as { name?: string; $metadata?: { httpStatusCode?: number } }
      if (name !== 'NoSuchKey' && $metadata?.httpStatusCode !== 416) throw cause
      throw new ContentMissing(id, { cause })
    }
    throw new ContentMissing(id)
  }

  async remove(id: string): Promise<void> {
    const { Bucket, Key } = this.#object(id)
    await this.#client.send(new this.#s3.DeleteObjectCommand({ Bucket, Key }))
    const { Uploads = [] } = await this.#client.send(new this.#s3.ListMultipartUploadsCommand({ Bucket, Prefix: Key }))
    for (const { Key: key, UploadId } of Uploads) {
      if (key !== Key) continue
      await this.#client.send(new this.#s3.AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
    }
  }

  async check(): Promise<void> {
    await this.#client.send(new this.#s3.HeadBucketCommand({ Bucket: this.#settings.bucket }))
  }

  close(): void {
    if (this.#isOwn) this.#client.destroy()
  }

  #makeClient(): ClientS3.S3Client {
    const { region, endpoint, forcePathStyle } = this.#settings
    return new this.#s3.S3Client({
      ...(region === undefined ? {} : { region }),
      // Servers other than Amazon's refuse checksums that they do not know.
      ...(endpoint === undefined
        ? {}
        : { endpoint, requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' }),
      forcePathStyle
    })
  }

  #object(id: string): { readonly Bucket: string; readonly Key: string } {
    if (!CONTENT_ID.test(id)) throw new InvalidFileCall('the bucket', `${JSON.stringify(id)} is no id of a file`)
    return { Bucket: this.#settings.bucket, Key: this.#settings.prefix + id }
  }
}
