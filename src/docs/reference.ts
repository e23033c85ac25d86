/** Defined by the previous script. */
declare const Scalar: { createApiReference(selector: string, configuration: object): unknown };

const demoKey = document.body.dataset['demoKey'];
// The word that brought the key is used: it need not stay in the address.
if (demoKey !== undefined) history.replaceState(history.state, '', location.pathname + location.hash);

// Nothing of it may call another host; the policy of the page would refuse it.
Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  // The description's own `/` would double the slash of every path.
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
