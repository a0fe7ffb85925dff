/** The template under fastify-cli itself: laid down by its `generate`, served by its `start`. */
import { readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { sandbox } from '../support/sandbox.ts'
import { ended, launchNode, runSvc } from '../support/svc-process.ts'

const require = createRequire(import.meta.url)

t.test('generate lays it down, and it builds, tests and serves', async (t) => {
  const folder = join(sandbox(t), 'direct')
  const index = new URL('../../src/index.js', import.meta.url).href
  const script = `
    import { createRequire } from 'node:module'
    import { appTemplate } from '${index}'
    const { generate } = createRequire('${import.meta.url}')('fastify-cli/generate.js')
    await generate('${folder}', appTemplate())`
  const laidDown = await ended(launchNode(['--input-type=module', '-e', script], dirname(folder)))
  t.equal(laidDown.code, 0, laidDown.stderr)
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  t.equal(manifest.type, 'module')
  t.equal(manifest.scripts.dev, 'svc dev')

  symlinkSync(fileURLToPath(new URL('../../../../../node_modules', import.meta.url)), join(folder, 'node_modules'))
  const built = await runSvc(['build'], { cwd: folder })
  t.equal(built.code, 0, built.stdout + built.stderr)
  const tested = await ended(launchNode(['--test', 'dist/test/**/*.test.js'], folder))
  t.match(tested.stdout, /pass 4\n.*fail 0\n/)

  const url = await served(t, folder)
  t.match(await (await fetch(`${url}/api/hello`)).json(), { hello: 'world', who: 'anonymous' })
})

/** `fastify start dist/app.js`, on a free port. */
async function served(t: Test, folder: string): Promise<string> {
  const cli = join(dirname(require.resolve('fastify-cli/package.json')), 'cli.js')
  const child = launchNode(
    [cli, 'start', '--log-level', 'info', '--address', '127.0.0.1', '--port', '0', 'dist/app.js'],
    folder
  )
  const closed = ended(child)
  t.teardown(async () => {
    child.kill('SIGKILL')
    await closed
  })
  let output = ''
  for await (const piece of child.stdout as AsyncIterable<Buffer>) {
    output += piece
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)
    if (url !== null) return url[0]
  }
  throw new Error(`fastify start did not listen: ${output}`)
}
