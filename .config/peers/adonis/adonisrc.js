/** What the application loads: providers, then the files that declare middleware and routes. */
import { defineConfig } from '@adonisjs/core/app'

export default defineConfig({
  typescript: false,
  providers: [
    () => import('@adonisjs/core/providers/app_provider'),
    () => import('@adonisjs/core/providers/hash_provider'),
    () => import('@adonisjs/core/providers/vinejs_provider'),
    () => import('@adonisjs/auth/auth_provider'),
    () => import('@adonisjs/bouncer/bouncer_provider')
  ],
  preloads: [() => import('./start/kernel.js'), () => import('./start/routes.js')]
})
