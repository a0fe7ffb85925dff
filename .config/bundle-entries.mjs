/**
 * Bundles a package for publishing: every entry of its `exports` becomes one file where it is now, beside the chunks
 * that entries share and those that load on use. Dependencies stay imports. Maps lead to the sources, which are packed.
 * A file that is named by its URL, such as the script of a worker, is an entry too, and `import.meta.url` says of each
 * module what it says unbundled.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, resolve, sep } from 'node:path'
import { rolldown } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'

const OWN_URL = 'import.meta.url'

/**
 * @param folder of a package with `src/` and a manifest
 * @param target folder that takes the files, in the place of the package's `dist/src`
 * @param manifest of the package
 */
export async function bundleEntries(folder, target, manifest) {
  const sources = join(folder, 'src')
  const input = Object.fromEntries(entriesOf(sources, manifest).map((name) => [name, join(sources, `${name}.ts`)]))
  if (Object.keys(input).length === 0) return
  const entries = new Set(Object.values(input))
  const bundle = await rolldown({
    input,
    platform: 'node',
    tsconfig: false,
    external: (id) => !id.startsWith('.') && !id.startsWith(sources),
    plugins: [{ name: 'own-urls', transform: (code, id) => (entries.has(id) ? null : withOwnUrls(code, id, sources)) }],
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(`${manifest.name}: ${log.message}`)
    }
  })
  const { output } = await bundle.write({
    dir: target,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    sourcemapPathTransform: (source, map) => packedPath(resolve(dirname(map), source), map, { sources, target }),
    keepNames: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js'
  })
  await bundle.close()
  for (const chunk of output) checkUrls(chunk, entries, manifest)
}

/** Names below `src/`, without their ending. */
function entriesOf(sources, { exports = {} }) {
  const exported = Object.values(exports).map(({ default: file }) => /^\.\/dist\/src\/(.+)\.js$/.exec(file ?? '')?.[1])
  const named = globSync('**/*.ts', { cwd: sources }).flatMap((file) => {
    const text = readFileSync(join(sources, file), 'utf8')
    return [...text.matchAll(/new URL\('(\.\/[\w-]+)\.js', import\.meta\.url\)/g)].map(([, name]) =>
      posix.join(dirname(file).split(sep).join('/'), name)
    )
  })
  return [...exported.filter((name) => name !== undefined), ...named]
}

/** Chunks lie beside the main entry, whatever folder their modules come from. */
function withOwnUrls(code, id, sources) {
  if (!code.includes(OWN_URL)) return null
  const place = `./${relative(sources, id).split(sep).join('/').replace(/ts$/, 'js')}`
  const own = `new URL(${JSON.stringify(place)}, ${OWN_URL}).href`
  const changed = placesOf(parseAst(code, { lang: 'ts' }))
    .sort((a, b) => b - a)
    .reduce((text, at) => text.slice(0, at) + own + text.slice(at + OWN_URL.length), code)
  return { code: changed, map: sameLines(id, changed.split('\n').length) }
}

/** A map on which every line is itself. */
function sameLines(id, count) {
  return { version: 3, sources: [id], names: [], mappings: `AAAA${';AACA'.repeat(count - 1)}` }
}

/** Where the code, not a text in it, reads its URL. */
function placesOf(node) {
  if (typeof node !== 'object' || node === null) return []
  if (node.type === 'MemberExpression' && node.object.type === 'MetaProperty') return [node.start]
  return Object.values(node).flatMap(placesOf)
}

/** The places of modules are relative to the main entry: code of theirs in another folder would read them wrongly. */
function checkUrls({ fileName, code = '', moduleIds = [] }, entries, { name }) {
  if (!fileName.includes('/') || !code.includes(OWN_URL)) return
  const wrong = moduleIds.filter((id) => !entries.has(id) && readFileSync(id, 'utf8').includes(OWN_URL))
  if (wrong.length > 0) throw new Error(`${name}: ${fileName} has the URL of ${wrong.join(', ')} wrong`)
}

/** From a map of the packed package to one of its sources. */
function packedPath(source, map, { sources, target }) {
  const packed = join(target, '../../src', relative(sources, source))
  return relative(dirname(map), packed).split(sep).join('/')
}
