// The program of the page of a web client: Hydrogen, as its own main program starts it.
// @ts-expect-error: the package does not offer its types.
import { createNavigation, createRouter, FeatureSet, Platform, RootViewModel } from 'hydrogen-view-sdk';

const { document } = globalThis as unknown as { document: { querySelector(selector: string): unknown } };
const platform = new Platform({
  container: document.querySelector('#app'),
  assetPaths: { serviceWorker: '/sw.js', olm: { wasm: '/olm.wasm', wasmBundle: '/olm.js' } },
  config: {},
  options: {},
});
const navigation = createNavigation();
platform.setNavigation(navigation);
await platform.init();
const urlRouter = createRouter({ navigation, history: platform.history });
const features = await FeatureSet.load(platform.settingsStorage);
urlRouter.attach();
const root = new RootViewModel({ platform, urlRouter, navigation, features });
await root.load();
platform.createAndMountRootView(root);
