/** An option is written once: its type comes from the one schema of its plugin, and no interface repeats it. */
import t from 'tap'
import type { Finding } from './finding.ts'
import { describeFindings } from './finding.ts'
import { noFindings } from './no-findings.ts'
import { readFiles, type SourceFile } from './repository.ts'

function repeatedOptions(files: readonly SourceFile[]): Finding[] {
  const schemas = files.filter(({ text }) => /\$id: 'svc-[a-z-]+\/options'/.test(text))
  const outside = schemas.filter(({ path }) => !/^plugins\/[^/]+\/src\/options\.ts$/.test(path))
  const typed = files.filter(({ text }) => /interface Svc\w+Options\b/.test(text))
  return [
    ...outside.map(({ path }) => ({
      path,
      line: 0,
      problem: 'holds a schema of options',
      fix: 'move it to options.ts'
    })),
    ...typed.map(({ path }) => ({
      path,
      line: 0,
      problem: 'writes the type of options by hand',
      fix: 'derive it: OptionsOf<typeof optionsSchema>'
    }))
  ]
}

t.test('options that are written twice', async (t) => {
  const files = [
    { path: 'plugins/svc-x/src/options.ts', text: "$id: 'svc-x/options'\nexport interface SvcXOptions {}" },
    { path: 'plugins/svc-x/src/more.ts', text: "$id: 'svc-x/options'" }
  ]
  t.match(describeFindings(repeatedOptions(files)), [/more\.ts holds a schema/, /options\.ts writes the type/])
})

t.test('this repository', async (t) => {
  const files = readFiles('plugins/*/src/**/*.ts')
  noFindings(t, repeatedOptions(files), 'options')
  for (const { path, text } of files.filter(({ path }) => path.endsWith('/src/options.ts'))) {
    if (!text.includes('export const optionsSchema') || path.startsWith('plugins/svc-kernel/')) continue
    t.match(
      text,
      /export type Svc\w+Options = OptionsOf<typeof optionsSchema>/,
      `${path} derives the type of its options`
    )
  }
})

t.test('the sections that are plugins are those of the plugins with options', async (t) => {
  const [{ text = '' } = {}] = readFiles('plugins/svc-kernel/src/options/option-problems.ts')
  const list = /PLUGIN_SECTIONS[^[]*\[([^\]]*)\]/.exec(text)?.[1] ?? ''
  const known = [...list.matchAll(/'(\w+)'/g)].map(([, name]) => name)
  const plugins = readFiles('plugins/*/src/options.ts')
    .filter(({ text }) => text.includes('export const optionsSchema'))
    .map(({ path }) => path.split('/')[1]?.replace('svc-', ''))
    .filter((name) => name !== 'kernel' && name !== 'test')
  t.strictSame(known, plugins.sort())
})
