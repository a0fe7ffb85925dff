#!/usr/bin/env node
/**
 * `npm create svc@latest shop -- --preset api` is `svc create app shop --preset api`. Plain JavaScript that any Node can
 * read: the command itself refuses a Node that is too old.
 */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

process.argv.splice(2, 0, 'create', 'app')
const manifest = createRequire(import.meta.url).resolve('svc-cli/package.json')
await import(new URL('bin/svc.js', pathToFileURL(manifest)).href)
