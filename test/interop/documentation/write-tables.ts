/** `npm run tables`: writes the generated tables of every page, and the pages of public names. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { packageNames } from '../../architecture/repository.ts'
import { API_PAGES, apiPage } from './api-report.ts'
import { withGeneratedTables } from './generated-tables.ts'
import { documentationPages, inRepository } from './repository.ts'

for (const page of documentationPages()) {
  write(page, await withGeneratedTables(readFileSync(inRepository(page), 'utf8')))
}
for (const name of packageNames()) {
  const names = apiPage(name)
  if (names !== null) write(`${API_PAGES}/${name}.md`, names)
}

function write(page: string, text: string): void {
  const path = inRepository(page)
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  writeFileSync(path, text)
  process.stdout.write(`${page}\n`)
}
