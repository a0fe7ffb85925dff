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
    outDir: at('../../svc-events/dist/portal'),
    rolldownOptions: { input: [at('portal.tsx')] }
  }
})
