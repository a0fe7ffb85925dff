/** Builds the two pages of the console into hashed files below `dist/web`, with a manifest that the plugin reads. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const FIXES = 'virtual:error-fixes'

/** `virtual:error-fixes`: what to do about each code that an answer may have, as the errors page says it. */
function errorFixes(): Plugin {
  const page = at('../../../docs/reference/errors.md')
  return {
    name: 'error-fixes',
    resolveId: (id) => (id === FIXES ? `\0${FIXES}` : null),
    load(id) {
      if (id !== `\0${FIXES}`) return null
      this.addWatchFile(page)
      const rows = readFileSync(page, 'utf8').matchAll(/^\| `([A-Z_]+)` \| ([^|]*\d{3}[^|]*) \| [^|]* \| ([^|]*) \|$/gm)
      const fixes = [...rows].map(([, code, , fix = '']) => [code, plain(fix)])
      return `export default ${JSON.stringify(Object.fromEntries(fixes))}`
    }
  }
}

function plain(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .trim()
}

export default defineConfig({
  root: at('.'),
  base: './',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [errorFixes()],
  build: {
    outDir: at('../dist/web'),
    emptyOutDir: true,
    assetsDir: '',
    manifest: 'manifest.json',
    // The licences of what is bundled.
    license: { fileName: 'licenses.md' },
    modulePreload: false,
    assetsInlineLimit: 0,
    target: 'es2023',
    rolldownOptions: { input: [at('console.tsx'), at('sign-in.tsx')] }
  }
})
