/** `npm run tables`: writes the generated tables of every page anew. */
import { readFileSync, writeFileSync } from 'node:fs'
import { withGeneratedTables } from './generated-tables.ts'
import { documentationPages, inRepository } from './repository.ts'

for (const page of documentationPages()) {
  const text = readFileSync(inRepository(page), 'utf8')
  const written = await withGeneratedTables(text)
  if (written === text) continue
  writeFileSync(inRepository(page), written)
  process.stdout.write(`${page}\n`)
}
