/** Builds the portal of svc-events, which is published with that package, of the parts that the console has. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import pages from './vite.config.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  ...pages,
  plugins: [],
  build: {
    ...pages.build,
    // With `light-dark()` of their own: what stands in for it asks the system, and a theme may have one ground for both.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    outDir: at('../../svc-events/dist/portal'),
    rolldownOptions: { input: [at('portal.tsx')] }
  }
})
