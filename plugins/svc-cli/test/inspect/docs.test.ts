/** `svc docs`: what every `more:` line names is there, and is printed without a network or an application. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { sandbox } from '../support/sandbox.ts'
import { runSvc } from '../support/svc-process.ts'

const PLUGINS = fileURLToPath(new URL('../../../../', import.meta.url))

async function docs(t: Test, ...topic: string[]) {
  const { code, stdout, stderr } = await runSvc(['docs', ...topic], { cwd: sandbox(t) })
  return { code, stdout, stderr }
}

t.test('an error code: whose it is, what it means, what to do, where more is', async (t) => {
  const { code, stdout } = await docs(t, 'SVC_PORT_BUSY')
  t.equal(code, 0)
  t.match(
    stdout,
    /^SVC_PORT_BUSY\n {2}from: svc-host\n {2}where: boot, CLI\n {2}meaning: the port is in use.*\n {2}fix: /
  )
  t.match(stdout, /more: npx svc docs getting-started\n/)
  t.match((await docs(t, 'svc_port_busy')).stdout, /^SVC_PORT_BUSY\n/, 'in any case')
  t.match((await docs(t, 'SVC_HTTP_418')).stdout, /^SVC_HTTP_<status>\n/, 'a code of a form')
  const { stdout: linked } = await docs(t, 'SVC_KERNEL_OPTIONS')
  t.match(linked, 'see npx svc docs options', 'a link is the command that prints its page')
  t.notMatch(linked, '](')
})

t.test('a page, by its name or as a path', async (t) => {
  for (const topic of ['webhooks', 'guides/webhooks', 'docs/guides/webhooks.md']) {
    t.match((await docs(t, topic)).stdout, /^# Webhooks\n/, topic)
  }
  t.match((await docs(t, 'changelog')).stdout, /^# Changelog\n/, 'of the root')
  t.match((await docs(t, 'svc-audit')).stdout, /^# svc-audit\n/, 'the README of a package')
})

t.test('without a topic: every page and every code', async (t) => {
  const { stdout } = await docs(t)
  for (const name of ['getting-started', 'options', 'svc-docdb', 'SVC_PORT_BUSY', 'SVC_DOCS_UNKNOWN']) {
    t.match(stdout, new RegExp(`^${name} +\\S`, 'm'), name)
  }
})

t.test('what is not there', async (t) => {
  const { code, stderr, stdout } = await docs(t, 'webhoks')
  t.equal(code, 2)
  t.equal(stdout, '')
  t.match(stderr, /SVC_DOCS_UNKNOWN {2}.*\(did you mean webhooks\?\)[\s\S]*fix: npx svc docs webhooks/)
  t.match((await docs(t, 'xyzzy-plugh')).stderr, /fix: npx svc docs\n/)
})

t.test('every source that points to a page points to one that is there, and none to a path', async (t) => {
  const listed = new Set((await docs(t)).stdout.split('\n').map((line) => line.split(' ', 1)[0]))
  let pointers = 0
  for (const file of globSync('*/{src,bin}/**/*.{ts,js}', { cwd: PLUGINS })) {
    const text = readFileSync(join(PLUGINS, file), 'utf8')
    t.notMatch(text, /more: '(?!npx )/, file)
    for (const [, topic = ''] of text.matchAll(/npx svc docs ([\w-]+)(?!\w|<)/g)) {
      pointers += 1
      t.ok(listed.has(topic), `${file}: ${topic}`)
    }
  }
  t.ok(pointers > 35, `${pointers} pointers`)
})
