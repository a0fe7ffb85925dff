/**
 * What this application loads, in this order: a module comes after those it
 * needs. An unknown or malformed option stops the boot and names its line;
 * `svc config:check` reports the same without starting anything.
 */
import svcDecorators from 'svc-decorators'
import { defineConfig } from 'svc-host'
import svcSecurity from 'svc-security'
import { env } from './env.ts'

export default defineConfig({
  mode: env.NODE_ENV,
  server: { host: env.HOST, port: env.PORT },
  modules: [
    [
      svcSecurity,
      {
        // A zone says how callers prove who they are. Here, callers of /api may stay anonymous;
        // `anonymous` accepts everyone, so it is the last of its list.
        areas: {
          api: { pattern: '^/api', authenticators: ['anonymous'] }
        },
        // A user with the role on the left also has those on the right.
        roleHierarchy: {
          ROLE_ADMIN: ['ROLE_USER']
        }
      }
    ],

    // Every exported class with @controller in this folder, over HTTP and WebSocket.
    [svcDecorators, { dir: './controllers' }]
  ]
})
