/** The created application after its first hour: it has grown accounts, a journal, webhooks, and an entity in SQLite. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const IMPORTS = `import svcAudit from 'svc-audit'
import svcOrm from 'svc-orm'
import svcSqlorm from 'svc-sqlorm'
import svcWebhooks from 'svc-webhooks'
import { Article } from './article.ts'
import svcDecorators`

const DATABASE = `modules: [
    [svcOrm, { parts: { entities: [Article] } }],
    [svcSqlorm, { connectors: { default: { url: 'sqlite:shop.db' } } }],
    svcAudit,`

const ARTICLE = `import { defineEntity } from 'svc-orm'

export const Article = defineEntity({
  name: 'Article',
  schema: { title: { type: 'string' }, stars: { type: 'integer', default: 0 } }
})
`

/** @param folder of an application as `svc create app` lays it down */
export async function growApp(folder: string): Promise<void> {
  const config = join(folder, 'svc.config.ts')
  const text = await readFile(config, 'utf8')
  const grown = [
    ['import svcDecorators', IMPORTS],
    ['modules: [', DATABASE],
    ['areas: {', 'session: {},\n        areas: {'],
    ['    // Every exported class', '    [svcWebhooks, {}],\n\n    // Every exported class']
  ].reduce((before, [from = '', to = '']) => {
    if (!before.includes(from)) throw new Error(`svc.config.ts has no ${from}`)
    return before.replace(from, to)
  }, text)
  await writeFile(config, grown)
  await writeFile(join(folder, 'article.ts'), ARTICLE)
}
