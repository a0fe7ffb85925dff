/** Files on controllers: the guard before the body, limits, and what the description of the API says of them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import compress from '@fastify/compress'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance } from 'fastify'
import svcDecorators, { Ctx, controller, Get, type HttpContext, IsGranted, Param, Post } from 'svc-decorators'
import svcFiles, { download, fileSchema, upload } from 'svc-files'
import svcOpenapi from 'svc-openapi'
import t, { type Test } from 'tap'

const image = { types: ['image/png', 'image/jpeg'], maxBytes: 1000, maxFiles: 3 }

@controller('/files')
class Pictures {
  readonly #fastify: FastifyInstance

  constructor(fastify: FastifyInstance) {
    this.#fastify = fastify
  }

  @Post('/', { ...upload({ ...image, fields: { title: { type: 'string' } }, required: ['title'] }), name: 'files.add' })
  async add(@Ctx() { request }: HttpContext) {
    return this.#fastify.files.upload(request)
  }

  @Post('/text', upload())
  async text(@Ctx() { request }: HttpContext) {
    return (await this.#fastify.files.upload(request)).files[0]
  }

  @IsGranted('ROLE_EDITOR')
  @Post('/guarded', upload())
  async guarded(@Ctx() { request }: HttpContext) {
    return this.#fastify.files.upload(request)
  }

  @Get('/:id', { ...download({ types: ['image/png'] }), name: 'files.read' })
  async read(@Param('id') id: string, @Ctx() { reply }: HttpContext) {
    return reply.file(id)
  }

  @Get('/:id/about', { response: fileSchema })
  async about(@Param('id') id: string) {
    return this.#fastify.files.get(id)
  }
}

async function application(t: Test, before: (app: FastifyInstance) => PromiseLike<unknown>): Promise<FastifyInstance> {
  const directory = mkdtempSync(join(tmpdir(), 'svc-files-'))
  const app = Fastify()
  t.teardown(async () => {
    await app.close()
    rmSync(directory, { recursive: true, force: true })
  })
  await before(app)
  await app.register(svcOpenapi, { open: true })
  await app.register(svcFiles, { scope: false, disk: { directory } })
  await app.register(svcDecorators, { controllers: [Pictures] })
  await app.ready()
  return app
}

function form(value: string, type: string): object {
  const head = (more: string) => `--x\r\ncontent-disposition: form-data; ${more}\r\n\r\n`
  const file = head(`name="file"; filename="a"\r\ncontent-type: ${type}`)
  const payload = Buffer.from(`${head('name="title"')}A\r\n${file}${value}\r\n--x--\r\n`, 'latin1')
  return { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=x' }, payload }
}

const PNG = '\x89PNG\r\n\x1a\n'

t.test('a controller takes files and sends them, beside a @fastify/multipart of the application', async (t) => {
  for (const before of [async () => undefined, (app: FastifyInstance) => app.register(multipart)]) {
    const app = await application(t, before)
    const added = await app.inject({ url: '/files', ...form(PNG, 'image/png') })
    t.match(added.json(), { fields: { title: 'A' }, files: [{ type: 'image/png', bytes: 8 }] }, added.body)
    const { id } = added.json().files[0]
    const read = await app.inject(`/files/${id}`)
    t.match([read.statusCode, read.headers['content-type'], read.rawPayload.length], [200, 'image/png', 8])
    t.match((await app.inject(`/files/${id}/about`)).json(), { id, name: 'a', type: 'image/png' })
    const denied = await app.inject({ url: '/files/guarded', ...form(PNG, 'image/png') })
    t.match([denied.statusCode, denied.json().code], [403, 'SVC_SEC_DENIED'])
    const other = await app.inject({ url: '/files', ...form('text', 'text/plain') })
    t.match([other.statusCode, other.json().code], [415, 'SVC_FILES_TYPE'])
    const missing = await app.inject('/files/file_none')
    t.match([missing.statusCode, missing.json().code], [404, 'SVC_FILES_NOT_FOUND'])
  }
})

t.test('a download is whole behind @fastify/compress', async (t) => {
  const app = await application(t, (app) => app.register(compress, { threshold: 0 }))
  const text = 'text '.repeat(1000)
  const { id } = (await app.inject({ url: '/files/text', ...form(text, 'text/plain') })).json()
  const headers = { 'accept-encoding': 'gzip' }
  const whole = await app.inject({ url: `/files/${id}`, headers })
  t.match([whole.body, whole.headers['content-length'], whole.headers['content-encoding']], [text, '5000', undefined])
  const part = await app.inject({ url: `/files/${id}`, headers: { ...headers, range: 'bytes=0-3' } })
  t.match([part.statusCode, part.body], [206, 'text'])
})

t.test('the description says what a form has, and that an answer is a file', async (t) => {
  const app = await application(t, async () => undefined)
  const { paths } = JSON.parse(JSON.stringify(app.swagger()))
  const { post } = paths['/files']
  t.strictSame(post.requestBody.content['multipart/form-data'].schema, {
    type: 'object',
    required: ['file', 'title'],
    properties: {
      title: { type: 'string' },
      file: {
        type: 'array',
        minItems: 1,
        maxItems: 3,
        items: {
          type: 'string',
          format: 'binary',
          contentMediaType: 'image/png, image/jpeg',
          description: 'Types: image/png, image/jpeg. At most 1000 bytes.'
        }
      }
    }
  })
  t.match(post.responses[413].description, 'SVC_FILES_TOO_LARGE')
  t.match(post.responses[415].description, 'SVC_FILES_TYPE')
  const { get } = paths['/files/{id}']
  const binary = { 'image/png': { schema: { type: 'string', format: 'binary' } } }
  t.match(get.responses, { 200: { content: binary }, 206: { content: binary } })
  t.notOk(get.responses[304].content, 'an answer without a body')
  for (const [status, code] of [
    [404, 'NOT_FOUND'],
    [412, 'CONDITION'],
    [416, 'RANGE'],
    [503, 'UNAVAILABLE']
  ] as const) {
    t.match(get.responses[status].description, `SVC_FILES_${code}`)
  }
})
