/** A test waits for what happens, not for a time: a pause stands in a loop that looks for something. */
import t from 'tap'
import { PACKAGE_TESTS, readFiles, SPANNING_TESTS } from './repository.ts'

const PAUSE =
  /await (?:new Promise(?:<\w+>)?\(\(?\w+\)? => setTimeout\(\w+, ?[\w.]+\)\)|(?:sleep|delay|pause|setTimeout)\((?:[\d_]+|[A-Z_]+)\))/

/** Where a time is what is tested, or what a load is made of. */
const TIMED: readonly (readonly [path: RegExp, why: string])[] = [
  [/^test\/(?:bench|faults\/(?:campaign|deliveries|events|jobs))\//, 'a load lasts a while'],
  [/^plugins\/svc-kernel\/test\/ports\/clock\.test\.ts$/, 'the clock itself'],
  [/^plugins\/svc-docdb\/test\/connection\/waiting\.test\.ts$/, 'meanwhile, no call is refused'],
  [
    /^plugins\/svc-sqlorm\/test\/faults\/postgres-outage\.test\.ts$/,
    'a connection is held for longer than others wait'
  ],
  [/^test\/faults\/health\.test\.ts$/, 'an outage lasts longer than the first retries'],
  [/^test\/faults\/unwritten-activity\.test\.ts$/, 'a sweep of another timer ends nothing']
]

/** Lines that pause and are in no loop of their function. */
function pausesIn(text: string): number[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => (PAUSE.test(line) && !isInLoop(lines, index) ? [index + 1] : []))
}

function isInLoop(lines: readonly string[], index: number): boolean {
  let indent = depth(lines[index] ?? '')
  if (/\b(?:for|while) ?\(/.test(lines[index] ?? '')) return true
  for (let above = index - 1; above >= 0 && indent > 0; above -= 1) {
    const line = lines[above] ?? ''
    if (line.trim() === '' || depth(line) >= indent) continue
    if (/^\s*(?:\} )?(?:for|while|do)\b/.test(line)) return true
    indent = depth(line)
  }
  return false
}

const depth = (line: string) => line.length - line.trimStart().length

t.test('what a pause is', async (t) => {
  t.strictSame(pausesIn('await sleep(20)\n'), [1])
  t.strictSame(pausesIn('  await new Promise((resolve) => setTimeout(resolve, 1000))\n'), [1])
  t.strictSame(pausesIn('while (!done) await sleep(5)\n'), [])
  t.strictSame(pausesIn('for (;;) {\n  if (done) {\n    return\n  }\n  await sleep(5)\n}\n'), [])
  t.strictSame(pausesIn('for (;;) {\n}\nawait delay(PAUSE_MS)\n'), [3])
})

t.test('no test has one', async (t) => {
  const files = readFiles(...PACKAGE_TESTS, ...SPANNING_TESTS)
  t.ok(files.length > 300)
  const timed = (path: string) => TIMED.some(([apart]) => apart.test(path))
  for (const [path, why] of TIMED)
    t.ok(
      files.some((file) => path.test(file.path) && PAUSE.test(file.text)),
      why
    )
  for (const { path, text } of files.filter(({ path }) => !timed(path) && !path.endsWith('pauses.test.ts'))) {
    for (const line of pausesIn(text)) t.fail(`${path}:${line} waits for a time; fix: await what happens, with until()`)
  }
})
