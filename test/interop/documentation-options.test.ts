/** `docs/reference/options.md` and the option schemas of the plugins say the same, both ways. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { pluginMeta } from 'svc-kernel'
import t from 'tap'
import { readPage, tableRowsUnder } from './documentation/markdown-page.ts'
import { optionRows } from './documentation/option-rows.ts'
import { inRepository } from './documentation/repository.ts'

const PAGE = 'docs/reference/options.md'
const page = readPage(PAGE, readFileSync(inRepository(PAGE), 'utf8'))

t.test('options in the code and on the page', async (t) => {
  for (const plugin of packagesOfTheBuild()) {
    const entry: { default?: unknown } = await import(plugin)
    // The command line is no plugin.
    if (typeof entry.default !== 'function') continue
    const { optionsSchema } = pluginMeta(entry.default)
    t.ok(optionsSchema, `${plugin} has a schema of its options`)
    const inCode = optionRows(optionsSchema ?? {}).map(({ path, type, fallback }) => `${path}: ${type} = ${fallback}`)
    const onPage = tableRowsUnder(page, plugin)
      .slice(1)
      .map(({ cells }) => `${plain(cells[0])}: ${plain(cells[1])} = ${plain(cells[2])}`)
    t.ok(page.anchors.has(plugin), `${PAGE} has a heading for ${plugin}`)
    t.strictSame(onPage.sort(), inCode.sort(), `${PAGE}, ${plugin}: path: type = default`)
  }
})

t.test('rows of a schema', async (t) => {
  const schema = {
    type: 'object',
    required: ['dir'],
    properties: {
      dir: { type: 'string' },
      either: { anyOf: [{ type: 'boolean' }, { type: 'array', items: { anyOf: [{ type: 'string' }, {}] } }] },
      mode: { enum: ['a', 'b'], default: 'a' },
      areas: {
        type: 'object',
        default: {},
        additionalProperties: {
          type: 'object',
          required: ['pattern'],
          properties: {
            pattern: { type: 'string', format: 'regex' },
            names: { type: 'array', items: { type: 'string' } }
          }
        }
      },
      jury: { type: 'object', default: {}, properties: { voterTimeoutMs: { type: 'integer', default: 1000 } } }
    }
  }
  t.strictSame(
    optionRows(schema).map(({ path, type, fallback }) => [path, type, fallback]),
    [
      ['dir', 'string', 'required'],
      ['either', 'boolean | (string | any)[]', 'none'],
      ['mode', '"a" | "b"', '"a"'],
      ['areas.<name>.pattern', 'string (regex)', 'required'],
      ['areas.<name>.names', 'string[]', 'none'],
      ['jury.voterTimeoutMs', 'integer', '1000']
    ]
  )
})

function packagesOfTheBuild(): string[] {
  const text = readFileSync(inRepository('tsconfig.json'), 'utf8')
  const { references } = JSON.parse(text) as { references: { path: string }[] }
  return references.filter(({ path }) => path.startsWith('plugins/')).map(({ path }) => basename(path))
}

/** Cells are written as code. */
function plain(cell = ''): string {
  return cell.replaceAll('`', '')
}
