/** `npm run mutants`: a change that a test notices is killed, one that none notices is listed with its line. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { inRoot } from './repository.ts'

interface Mutant {
  readonly id: string
  readonly place: string
  readonly change: string
  readonly equivalent: string | null
}

interface Run {
  readonly file: string
  readonly ids: ReadonlySet<string>
  readonly passed: boolean
}

interface Tools {
  instrument(root: string, files: readonly string[]): Promise<{ modules: object; mutants: Mutant[] }>
  Judge: new (
    node: string,
    modules: object
  ) => {
    reach(files: readonly string[]): Promise<Run[]>
    verdicts(mutants: readonly Mutant[], runs: readonly Run[]): Promise<(string | null | undefined)[]>
    close(): void
  }
  sampleOf(mutants: readonly Mutant[], options: { sample?: string; seed: string }): Mutant[]
  summary(mutants: readonly Mutant[], verdicts: readonly unknown[], of: { all: number; equivalent: number }): string
}

async function tools(): Promise<Tools> {
  const parts = ['instrument', 'judge', 'report'].map((name) => import(inRoot(`.config/mutants/${name}.mjs`)))
  return Object.assign({}, ...(await Promise.all(parts))) as Tools
}

const SOURCE = `export const mayEnter = (age) => age >= 18
export function fee (age, member) {
  // Stryker disable next-line all: zero is zero
  if (age === 0) return 0
  return member === true ? 5 : 10
}
export const unused = (given) => given + 1
`

const files = {
  'dist/src/pool.js': SOURCE,
  'dist/src/pool.js.map':
    '{"version":3,"sources":["../../src/pool.ts"],"mappings":"AAAA;AACA;AACA;AACA;AACA;AACA;AACA"}',
  'dist/test/door.test.js': `import assert from 'node:assert'
import { mayEnter } from '../src/pool.js'
assert.equal(mayEnter(18), true)
assert.equal(mayEnter(17), false)
`,
  'dist/test/fee.test.js': `import { fee } from '../src/pool.js'
fee(3, true)
`,
  'dist/test/broken.test.js': 'throw new Error("on purpose")\n',
  'package.json': '{"type":"module"}'
}

function project(t: Test): string {
  const folder = t.testdir()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, 'plugins/pool', path, '..'), { recursive: true })
    writeFileSync(join(folder, 'plugins/pool', path), text)
  }
  return folder
}

t.test('killed, survived, without a test', async (t) => {
  const { instrument, Judge, summary } = await tools()
  const root = project(t)
  const at = (path: string) => join(root, 'plugins/pool/dist', path)
  const { modules, mutants } = await instrument(root, [at('src/pool.js')])
  const judged = mutants.filter(({ equivalent }) => equivalent === null)
  const equivalent = mutants.filter((mutant) => mutant.equivalent !== null)
  t.ok(equivalent.length > 0)
  t.ok(
    equivalent.every(({ place, equivalent }) => place === 'plugins/pool/src/pool.ts:4' && equivalent === 'zero is zero')
  )

  const judge = new Judge(process.execPath, modules)
  t.teardown(() => judge.close())
  const runs = await judge.reach([at('test/door.test.js'), at('test/fee.test.js'), at('test/broken.test.js')])
  t.same(
    runs.filter(({ passed }) => !passed).map(({ file }) => file),
    [at('test/broken.test.js')]
  )
  const verdicts = await judge.verdicts(judged, runs)
  const said = summary(judged, verdicts, { all: mutants.length, equivalent: equivalent.length })
  const lines = said.trimEnd().split('\n')
  const verdictOf = (change: string) =>
    lines
      .find((line) => line.includes(change))
      ?.split('  ')
      .slice(0, 2)
  t.equal(verdictOf('age >= 18 -> age > 18'), undefined, 'the door test kills it')
  t.equal(verdictOf('age >= 18 -> age < 18'), undefined)
  t.strictSame(verdictOf('member === true -> true'), ['plugins/pool/src/pool.ts:5', 'survived'])
  t.strictSame(verdictOf('given + 1 -> given - 1'), ['plugins/pool/src/pool.ts:7', 'no test'])
  const [, killed, survived, untested, rate] =
    /^(\d+) killed, (\d+) survived, (\d+) without a test: (\d+) %$/.exec(lines.at(-1) ?? '')?.map(Number) ?? []
  t.equal(Number(killed) + Number(survived) + Number(untested), judged.length)
  t.ok(Number(killed) >= 3 && Number(survived) >= 2 && Number(untested) >= 1, said)
  t.equal(rate, Math.floor((Number(killed) / judged.length) * 100))
})

t.test('a sample is the same for the same seed', async (t) => {
  const { sampleOf } = await tools()
  const mutants = Array.from({ length: 100 }, (_each, index) => ({ id: `${index}` }) as Mutant)
  const first = sampleOf(mutants, { sample: '10', seed: '1' })
  t.equal(new Set(first).size, 10)
  t.strictSame(sampleOf(mutants, { sample: '10', seed: '1' }), first)
  t.notSame(sampleOf(mutants, { sample: '10', seed: '2' }), first)
  t.strictSame(sampleOf(mutants, { seed: '1' }), mutants)
})
