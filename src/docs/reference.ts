/** Defined by the previous script. */
declare const Scalar: { createApiReference(selector: string, configuration: object): unknown };

const demoKey = document.body.dataset['demoKey'];
// The address may be shared, so the key is removed from it after its use.
if (demoKey !== undefined) history.replaceState(history.state, '', location.pathname + location.hash);

// The page may call no other host; its policy would refuse such a call.
Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  // The `/` of the description would double the slash of every path.
  servers: [{ url: location.origin, description: 'This service' }],
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  withDefaultFonts: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'none',
  theme: 'none',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hideModels: true,
  darkMode: document.documentElement.getAttribute('data-mantine-color-scheme') === 'dark',
  authentication: {
    preferredSecurityScheme: 'bearer',
    ...(demoKey !== undefined && { securitySchemes: { bearer: { token: demoKey } } }),
  },
});
