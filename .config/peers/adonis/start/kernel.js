/** Middleware of the server, of the routes, and by name. */
import router from '@adonisjs/core/services/router'
import server from '@adonisjs/core/services/server'

const middleware = (name) => async () => ({ default: (await import('../app/middleware.js'))[name] })

server.errorHandler(() => import('../app/exception_handler.js'))
server.use([middleware('ContainerBindingsMiddleware'), middleware('ForceJsonResponseMiddleware')])
router.use([
  () => import('@adonisjs/core/bodyparser_middleware'),
  () => import('@adonisjs/auth/initialize_auth_middleware'),
  middleware('InitializeBouncerMiddleware')
])

export const named = router.named({
  auth: middleware('AuthMiddleware'),
  role: middleware('RoleMiddleware')
})
