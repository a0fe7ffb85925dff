/** A small server that speaks as much of S3 as is needed: objects, ranges, and uploads in parts. It keeps all in memory. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** What it was asked, such as `PUT part`. */
type Call = 'PUT object' | 'GET object' | 'DELETE object' | 'POST begin' | 'PUT part' | 'POST complete' | 'DELETE abort'

interface Asked {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly key: string
  readonly body: Buffer
  readonly upload: { readonly id: string; readonly part: number }
}

export class FakeS3 {
  readonly objects = new Map<string, Buffer>()
  /** By upload id. */
  readonly uploads = new Map<string, { readonly key: string; readonly parts: Map<number, Buffer> }>()
  readonly calls: string[] = []
  /** Calls that are answered with an error. */
  readonly refused = new Set<Call>()
  readonly #server: Server
  #count = 0

  constructor() {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: Error) => response.destroy(error))
    })
  }

  async start(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }

  /** Keys of objects, and of uploads that are not complete. */
  get keys(): string[] {
    return [...this.objects.keys(), ...[...this.uploads.values()].map(({ key }) => `unfinished ${key}`)]
  }

  /** As a client that was killed leaves it. */
  begin(key: string): void {
    this.#count += 1
    this.uploads.set(`u${this.#count}`, { key, parts: new Map([[1, Buffer.from('half')]]) })
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3')
    const [bucket, ...path] = decodeURIComponent(pathname).slice(1).split('/')
    const body = plain(request, await buffer(request))
    if (bucket !== 'bucket') return fail(response, 404, 'NoSuchBucket')
    const key = path.join('/')
    const call = callOf(request.method ?? '', searchParams)
    if (key === '') return request.method === 'HEAD' ? response.end() : this.#list(response, searchParams)
    this.calls.push(call)
    if (this.refused.has(call)) return fail(response, 400, 'InvalidRequest')
    const upload = { id: searchParams.get('uploadId') ?? '', part: Number(searchParams.get('partNumber')) }
    return this.#do(call, { request, response, key, body, upload })
  }

  #do(call: Call, { request, response, key, body, upload }: Asked): unknown {
    switch (call) {
      case 'PUT object':
        this.objects.set(key, body)
        return response.setHeader('etag', '"e"').end()
      case 'GET object':
        return this.#read(request, response, key)
      case 'DELETE object':
        this.objects.delete(key)
        return response.writeHead(204).end()
      case 'POST begin':
        this.begin(key)
        return xml(
          response,
          `<InitiateMultipartUploadResult><UploadId>u${this.#count}</UploadId></InitiateMultipartUploadResult>`
        )
      case 'PUT part':
        this.uploads.get(upload.id)?.parts.set(upload.part, body)
        return response.setHeader('etag', `"${upload.part}"`).end()
      case 'POST complete': {
        const parts = this.uploads.get(upload.id)?.parts ?? new Map<number, Buffer>()
        this.objects.set(key, Buffer.concat([...parts].sort(([a], [b]) => a - b).map(([, bytes]) => bytes)))
        this.uploads.delete(upload.id)
        return xml(response, '<CompleteMultipartUploadResult><ETag>"e"</ETag></CompleteMultipartUploadResult>')
      }
      case 'DELETE abort':
        this.uploads.delete(upload.id)
        return response.writeHead(204).end()
      default:
        return fail(response, 501, 'NotImplemented')
    }
  }

  #read(request: IncomingMessage, response: ServerResponse, key: string): unknown {
    const object = this.objects.get(key)
    if (object === undefined) return fail(response, 404, 'NoSuchKey')
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    if (first === undefined || last === undefined) return response.end(object)
    if (Number(first) >= object.length) return fail(response, 416, 'InvalidRange')
    const bytes = object.subarray(Number(first), Number(last) + 1)
    return response.writeHead(206, { 'content-length': bytes.length }).end(bytes)
  }

  #list(response: ServerResponse, searchParams: URLSearchParams): unknown {
    const prefix = searchParams.get('prefix') ?? ''
    const found = [...this.uploads].filter(([, { key }]) => key.startsWith(prefix))
    const uploads = found.map(([id, { key }]) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`)
    return xml(response, `<ListMultipartUploadsResult>${uploads.join('')}</ListMultipartUploadsResult>`)
  }
}

function callOf(method: string, query: URLSearchParams): Call {
  if (query.has('uploads')) return `${method} begin` as Call
  if (query.has('partNumber')) return `${method} part` as Call
  if (query.has('uploadId')) return (method === 'POST' ? 'POST complete' : 'DELETE abort') as Call
  return `${method} object` as Call
}

/** Without the frames of `aws-chunked`, in which a checksum follows the content. */
function plain({ headers }: IncomingMessage, body: Buffer): Buffer {
  if (!String(headers['x-amz-content-sha256']).startsWith('STREAMING')) return body
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const line = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.subarray(at, line).toString('latin1'), 16)
    if (!(size > 0)) return Buffer.concat(chunks)
    chunks.push(body.subarray(line + 2, line + 2 + size))
    at = line + 2 + size + 2
  }
}

function xml(response: ServerResponse, text: string): unknown {
  return response.setHeader('content-type', 'application/xml').end(`<?xml version="1.0"?>${text}`)
}

function fail(response: ServerResponse, status: number, code: string): unknown {
  return response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
}
