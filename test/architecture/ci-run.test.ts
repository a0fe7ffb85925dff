/** `.ci/run` on a machine without its parts: what cannot be installed, what takes too long, what is said last. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, symlinkSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { inRoot, readFile } from './repository.ts'

const TOOLS = [
  'bash',
  'cat',
  'dirname',
  'env',
  'id',
  'mktemp',
  'printf',
  'rm',
  'sed',
  'sleep',
  'tail',
  'tee',
  'timeout'
]

/** The script with nothing but these commands beside the tools it is written in; none of its parts is there. */
async function ciRun(t: Test, commands: Readonly<Record<string, string>>, env: Readonly<Record<string, string>>) {
  const bin = t.testdir(
    Object.fromEntries(Object.entries(commands).map(([name, text]) => [name, `#!/bin/bash\n${text}\n`]))
  )
  for (const name of Object.keys(commands)) await chmod(join(bin, name), 0o755)
  for (const tool of TOOLS) {
    const path = ['/bin', '/usr/bin'].map((folder) => join(folder, tool)).find((file) => existsSync(file))
    if (path !== undefined) symlinkSync(path, join(bin, tool))
  }
  const child = spawn(join(bin, 'bash'), [inRoot('.ci/run')], {
    env: { PATH: bin, CHROMIUM: '/no/chromium', ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => (text += more))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, text, lines: text.trimEnd().split('\n') }
}

const APT = 'echo "E: Unable to locate package $*" >&2; exit 100'
const SUDO = 'shift; exec "$@"'
const NPM = `[[ $1 == test ]] && echo '5 passed, 0 failed'; exit 0`

t.test('R12: with CI=true a part that cannot be installed fails the run, and says why', async (t) => {
  const { code, text, lines } = await ciRun(t, { 'apt-get': APT, sudo: SUDO, npm: NPM }, { CI: 'true' })
  t.equal(code, 1)
  t.match(text, /apt-get failed:\n(?: {2}.*\n)* {2}E: Unable to locate package/, 'the failure of apt is shown')
  const missing = lines.filter((line) => line.startsWith('FAILED '))
  t.ok(missing.length >= 2, 'Chromium and Redis at least')
  t.match(missing.join('\n'), /^FAILED Chromium cannot be installed here[\s\S]*FAILED Redis cannot/)
  t.equal(lines.at(-1), `8 passed, ${missing.length} failed`)
})

t.test('R12: elsewhere it says so, and goes on', async (t) => {
  const { code, text, lines } = await ciRun(t, { 'apt-get': APT, sudo: SUDO, npm: NPM }, {})
  t.equal(code, 0)
  t.match(text, /== Redis CANNOT BE INSTALLED HERE: ITS TESTS WILL NOT RUN/)
  t.equal(lines.at(-1), '8 passed, 0 failed')
})

t.test('R12: a step, and the tests, have a limit; R15: what failed is named last', async (t) => {
  const npm = `case "$*" in
    test*) echo 'FAILED a.test.js > one'; echo '4 passed, 1 failed'; exit 1;;
    *lint*) sleep 300;;
  esac`
  const slow = await ciRun(t, { npm }, { STEP_LIMIT_S: '1' })
  t.equal(slow.code, 1)
  t.strictSame(slow.lines.slice(-3), [
    'FAILED a.test.js > one',
    'FAILED lint and format: not done after 1 s',
    '6 passed, 2 failed'
  ])
  const endless = await ciRun(t, { npm: '[[ $1 == test ]] && sleep 300; exit 0' }, { TEST_LIMIT_S: '1' })
  t.strictSame(endless.lines.slice(-2), ['FAILED tests: not done after 1 s', '3 passed, 1 failed'])
})

t.test('the workflow runs it, may only read, and names the major version of each action', async (t) => {
  const { text } = readFile('.github/workflows/ci.yml')
  t.match(text, /^ +- run: \.ci\/run$/m)
  t.match(text, /^permissions:\n {2}contents: read\n\n/m)
  t.match(text, /node-version: 24$/m, 'what the packages need')
  for (const [, action = ''] of text.matchAll(/uses: (\S+)/g)) t.match(action, /@v\d+$/, action)
})
