/**
 * How much a reader opens to follow a feature: the files that run while it is served once after one warm-up, of its
 * own package, the kernel and the stores, with their lines. With the name of a feature as argument: its files.
 */
import { FEATURES } from './features.ts'
import { type RanFile, ranFiles } from './ran-files.ts'

const [wanted] = process.argv.slice(2)

const rows: string[] = []
for (const { name, owner, open } of FEATURES.filter(({ name }) => wanted === undefined || name.includes(wanted))) {
  const feature = await open()
  await feature.once()
  const files = await ranFiles(() => feature.once(), [owner, 'svc-kernel', 'svc-stores'])
  await feature.close()
  rows.push(`| ${name} | ${files.length} | ${sum(files, 'lines')} | ${sum(files, 'ranLines')} |`)
  if (wanted !== undefined) for (const file of files) console.log(describe(file))
}
console.log(['| feature | files | lines | lines of functions that ran |', '|---|---:|---:|---:|', ...rows].join('\n'))

function describe({ path, lines, ranLines, functions }: RanFile): string {
  return `${path} ${lines} (${ranLines}) ${functions.join(' ')}`
}

function sum(files: readonly RanFile[], field: 'lines' | 'ranLines'): number {
  return files.reduce((total, file) => total + file[field], 0)
}
