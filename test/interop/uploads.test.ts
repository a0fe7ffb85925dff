/** Uploads as the guide shows them: a controller behind a guard, @fastify/multipart, and their media type in the description. */
import multipart from '@fastify/multipart'
import Fastify from 'fastify'
import svcDecorators, { Ctx, controller, type HttpContext, Post } from 'svc-decorators'
import svcOpenapi from 'svc-openapi'
import t from 'tap'

type WithFile = HttpContext['request'] & {
  file(): Promise<{ filename: string; toBuffer(): Promise<Buffer> } | undefined>
}

@controller('/api')
class Files {
  @Post('/files', { bodyLimit: 5_000_000, schema: { consumes: ['multipart/form-data'], tags: ['files'] } })
  async upload(@Ctx() { request }: HttpContext) {
    const file = await (request as WithFile).file()
    return { name: file?.filename, bytes: (await file?.toBuffer())?.length }
  }
}

t.test('P10: an upload reaches its controller, and the description says what the route takes', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(svcOpenapi, { open: true })
  await app.register(multipart)
  await app.register(svcDecorators, { controllers: [Files] })
  await app.ready()
  const form = [
    '--x',
    'content-disposition: form-data; name="file"; filename="a.txt"',
    'content-type: text/plain',
    '',
    'hello',
    '--x--',
    ''
  ].join('\r\n')
  const answer = await app.inject({
    method: 'POST',
    url: '/api/files',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: form
  })
  t.strictSame(answer.json(), { name: 'a.txt', bytes: 5 })
  const paths = app.swagger().paths as Record<string, { post?: { tags?: string[] } }>
  t.match(paths['/api/files']?.post, { tags: ['files'] })
})
