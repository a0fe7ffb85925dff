/** S3 against a small server of our own: the published suite, and uploads in parts that end early. */
import { randomBytes } from 'node:crypto'
import { S3Client } from '@aws-sdk/client-s3'
import t, { type Test } from 'tap'
import { fileContentConformance } from '../../src/content/file-content-conformance.ts'
import { S3Content } from '../../src/content/s3-content.ts'
import { FakeS3 } from '../support/fake-s3.ts'

const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' }

async function bucketOf(t: Test): Promise<{ s3: FakeS3; client: S3Client; content: S3Content }> {
  const s3 = new FakeS3()
  const endpoint = await s3.start()
  const client = new S3Client({ endpoint, credentials, region: 'eu', forcePathStyle: true, maxAttempts: 1 })
  t.teardown(async () => {
    client.destroy()
    await s3.stop()
  })
  return { s3, client, content: new S3Content({ bucket: 'bucket', prefix: 'files/', forcePathStyle: true }, client) }
}

async function* megabytes(count: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < count; sent += 1) yield randomBytes(1024 * 1024)
}

t.test('the suite', async (t) => {
  const servers = new Map<object, FakeS3>()
  const serverOf = (content: object) => servers.get(content) as FakeS3
  await fileContentConformance(
    { test: (name, body) => t.test(name, body) },
    {
      open: async () => {
        const { s3, content } = await bucketOf(t)
        servers.set(content, s3)
        return content
      },
      leftovers: (content) => serverOf(content).keys,
      interrupt: (content, id) => serverOf(content).begin(`files/${id}`)
    }
  )
})

t.test('an upload in parts that fails is aborted', async (t) => {
  for (const call of ['PUT part', 'POST complete', 'POST begin'] as const) {
    const { s3, content } = await bucketOf(t)
    s3.refused.add(call)
    await t.rejects(content.write('a', megabytes(20)), { name: 'InvalidRequest' }, call)
    t.strictSame(s3.keys, [], call)
    t.equal(s3.calls.includes('DELETE abort'), call !== 'POST begin', call)
  }
})

t.test('a removal aborts the uploads of its own id alone', async (t) => {
  const { s3, content } = await bucketOf(t)
  s3.begin('files/a')
  s3.begin('files/ab')
  await content.remove('a')
  t.strictSame(s3.keys, ['unfinished files/ab'])
})

t.test('a bucket that is not there fails the health check', async (t) => {
  const { content, client } = await bucketOf(t)
  await content.check()
  const other = new S3Content({ bucket: 'none', prefix: '', forcePathStyle: true }, client)
  const refused = await other.check().then(
    () => null,
    (error: object) => error
  )
  t.match(refused, { $metadata: { httpStatusCode: 404 } })
})
