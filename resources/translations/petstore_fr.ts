<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="fr" sourcelanguage="en">
<context>
<name />
<message>
<source> · </source>
<comment>between filters</comment>
<translation> · </translation>
</message>
<message>
<source> · </source>
<comment>between parts of a line</comment>
<translation> · </translation>
</message>
<message>
<source>!koi  without      =Koi  exactly      "two words"</source>
<translation>!koi  sans      =Koi  exactement      "deux mots"</translation>
</message>
<message>
<source>#1234  by its id</source>
<translation>#1234  par son identifiant</translation>
</message>
<message>
<source>&amp;About Pet Store Desktop</source>
<translation>À &amp;propos de Pet Store Desktop</translation>
</message>
<message>
<source>&amp;Activity</source>
<translation>Act&amp;ivité</translation>
</message>
<message>
<source>&amp;Back</source>
<translation>&amp;Précédent</translation>
</message>
<message>
<source>&amp;Categories</source>
<translation>&amp;Catégories</translation>
</message>
<message>
<source>&amp;Columns</source>
<translation>C&amp;olonnes</translation>
</message>
<message>
<source>&amp;Compare two days</source>
<translation>Comparer deux &amp;jours</translation>
</message>
<message>
<source>&amp;Copy</source>
<translation>&amp;Copier</translation>
</message>
<message>
<source>&amp;Copy as picture and numbers</source>
<translation>&amp;Copier l’image et les chiffres</translation>
</message>
<message>
<source>&amp;Copy diagnostics</source>
<translation>&amp;Copier le diagnostic</translation>
</message>
<message>
<source>&amp;Delete</source>
<translation>&amp;Supprimer</translation>
</message>
<message>
<source>&amp;Delete this view</source>
<translation>&amp;Supprimer cette vue</translation>
</message>
<message>
<source>&amp;Details</source>
<translation>&amp;Détails</translation>
</message>
<message>
<source>&amp;Edit</source>
<translation>É&amp;dition</translation>
</message>
<message>
<source>&amp;Edit value</source>
<translation>&amp;Modifier la valeur</translation>
</message>
<message>
<source>&amp;Edit…</source>
<translation>Mo&amp;difier…</translation>
</message>
<message>
<source>&amp;Export this list…</source>
<translation>&amp;Exporter cette liste…</translation>
</message>
<message>
<source>&amp;Export views…</source>
<translation>E&amp;xporter les vues…</translation>
</message>
<message>
<source>&amp;File</source>
<translation>&amp;Fichier</translation>
</message>
<message>
<source>&amp;Filter</source>
<translation>&amp;Filtrer</translation>
</message>
<message>
<source>&amp;Fit columns</source>
<translation>&amp;Ajuster les colonnes</translation>
</message>
<message>
<source>&amp;Forward</source>
<translation>&amp;Suivant</translation>
</message>
<message>
<source>&amp;Go to its pet</source>
<translation>Aller à son ani&amp;mal</translation>
</message>
<message>
<source>&amp;Help</source>
<translation>Aid&amp;e</translation>
</message>
<message>
<source>&amp;History</source>
<translation>&amp;Historique</translation>
</message>
<message>
<source>&amp;Import views…</source>
<translation>&amp;Importer des vues…</translation>
</message>
<message>
<source>&amp;Inventory</source>
<translation>S&amp;tock</translation>
</message>
<message>
<source>&amp;Keys and marks</source>
<translation>&amp;Raccourcis et repères</translation>
</message>
<message>
<source>&amp;Labels of what was counted…</source>
<translation>É&amp;tiquettes des animaux comptés…</translation>
</message>
<message>
<source>&amp;Leave out or include</source>
<translation>É&amp;carter ou inclure</translation>
</message>
<message>
<source>&amp;Manual</source>
<translation>&amp;Manuel</translation>
</message>
<message>
<source>&amp;Mark complete</source>
<translation>Ma&amp;rquer terminée</translation>
</message>
<message>
<source>&amp;Minimum stock…</source>
<translation>Stock m&amp;inimum…</translation>
</message>
<message>
<source>&amp;Next tab</source>
<translation>O&amp;nglet suivant</translation>
</message>
<message>
<source>&amp;Note…</source>
<translation>Re&amp;marque…</translation>
</message>
<message>
<source>&amp;Open this count again</source>
<translation>&amp;Rouvrir ce comptage</translation>
</message>
<message>
<source>&amp;Operations…</source>
<translation>Opéra&amp;tions…</translation>
</message>
<message>
<source>&amp;Orders</source>
<translation>C&amp;ommandes</translation>
</message>
<message>
<source>&amp;Paste</source>
<translation>C&amp;oller</translation>
</message>
<message>
<source>&amp;Pets</source>
<translation>&amp;Animaux</translation>
</message>
<message>
<source>&amp;Put away</source>
<translation>&amp;Masquer</translation>
</message>
<message>
<source>&amp;Quit</source>
<translation>&amp;Quitter</translation>
</message>
<message>
<source>&amp;Redo</source>
<translation>&amp;Rétablir</translation>
</message>
<message>
<source>&amp;Redo {what}</source>
<translation>&amp;Rétablir « {what} »</translation>
</message>
<message>
<source>&amp;Rename this view…</source>
<translation>&amp;Renommer cette vue…</translation>
</message>
<message>
<source>&amp;Report…</source>
<translation>&amp;Rapport…</translation>
</message>
<message>
<source>&amp;Reset columns</source>
<translation>&amp;Réinitialiser les colonnes</translation>
</message>
<message>
<source>&amp;Save view…</source>
<translation>&amp;Enregistrer la vue…</translation>
</message>
<message>
<source>&amp;Shop</source>
<translation>&amp;Magasin</translation>
</message>
<message>
<source>&amp;Show them</source>
<translation>&amp;Afficher</translation>
</message>
<message>
<source>&amp;Show these rows</source>
<translation>&amp;Afficher ces lignes</translation>
</message>
<message>
<source>&amp;Today</source>
<translation>Aujo&amp;urd’hui</translation>
</message>
<message>
<source>&amp;Undo</source>
<translation>&amp;Annuler</translation>
</message>
<message>
<source>&amp;Undo {what}</source>
<translation>&amp;Annuler « {what} »</translation>
</message>
<message>
<source>&amp;Undo…</source>
<translation>&amp;Annuler…</translation>
</message>
<message>
<source>&amp;View</source>
<translation>Affic&amp;hage</translation>
</message>
<message>
<source>(empty)</source>
<translation>(vide)</translation>
</message>
<message>
<source>(no name)</source>
<translation>(sans nom)</translation>
</message>
<message>
<source>*</source>
<comment>marks a date without time zone</comment>
<translation>*</translation>
</message>
<message>
<source>+1 adds, −1 subtracts, 2 sets</source>
<translation>+1 ajoute, −1 retire, 2 fixe</translation>
</message>
<message>
<source>+12 adds, −3 subtracts, 40 or =40 sets</source>
<translation>+12 ajoute, −3 retire, 40 ou =40 fixe</translation>
</message>
<message>
<source>+N books in, -N out, and =N counts; N in digits only</source>
<translation>+N fait entrer, -N fait sortir et =N compte ; N en chiffres uniquement</translation>
</message>
<message numerus="yes">
<source>+{n} pieces</source>
<translation>
<numerusform>+{n} unité</numerusform>
<numerusform>+{n} unités</numerusform>
</translation>
</message>
<message>
<source>, </source>
<translation>, </translation>
</message>
<message>
<source>, </source>
<comment>between names</comment>
<translation>, </translation>
</message>
<message>
<source>, </source>
<comment>between parts of a line</comment>
<translation>, </translation>
</message>
<message>
<source>--yes would be refused: {why}</source>
<translation>--yes serait refusé : {why}</translation>
</message>
<message>
<source>0 requests</source>
<translation>0 requête</translation>
</message>
<message>
<source>1 or 2 requests each. Ctrl+Z undoes it; of a deleted order, only until it is sent.</source>
<translation>1 ou 2 requêtes chacune. Ctrl+Z annule ; pour une commande supprimée, seulement tant que rien n’est envoyé.</translation>
</message>
<message>
<source>1 request</source>
<translation>1 requête</translation>
</message>
<message>
<source>5   !5   10|12</source>
<translation>5   !5   10|12</translation>
</message>
<message>
<source>; </source>
<comment>between names that have commas</comment>
<translation> ; </translation>
</message>
<message>
<source>=  empty      !=  not empty</source>
<translation>=  vide      !=  non vide</translation>
</message>
<message>
<source>= {result}</source>
<translation>= {result}</translation>
</message>
<message>
<source>&gt;10   &gt;=10   &lt;{n}   10..20</source>
<translation>&gt;10   &gt;=10   &lt;{n}   10..20</translation>
</message>
<message>
<source>?</source>
<comment>in place of the name of a record that is not there</comment>
<translation>?</translation>
</message>
<message>
<source>A cell of the row that begins in line {n} has no end, or is too long. A quotation mark may be missing. Nothing was imported.</source>
<translation>Une cellule de la rangée qui commence à la ligne {n} n’a pas de fin ou est trop longue. Il manque peut-être un guillemet. Rien n’a été importé.</translation>
</message>
<message>
<source>A change belongs to the day on which it was first seen. What changed and changed back is not counted.</source>
<translation>Une modification est rattachée au jour où elle a été vue pour la première fois. Ce qui a changé puis est revenu n’est pas compté.</translation>
</message>
<message>
<source>A code is remembered when you scan it and choose its pet. Our own labels and ids need none of this.</source>
<translation>Un code est retenu quand vous le scannez et choisissez son animal. Nos propres étiquettes et les identifiants n’en ont pas besoin.</translation>
</message>
<message>
<source>A damaged file was set aside: {file}.</source>
<translation>Un fichier endommagé a été mis de côté : {file}.</translation>
</message>
<message>
<source>A day, such as {example} or tomorrow; the time stays</source>
<translation>Un jour, par exemple {example} ou demain ; l’heure reste</translation>
</message>
<message>
<source>A few words; may be empty.</source>
<translation>Quelques mots ; peut rester vide.</translation>
</message>
<message>
<source>A field that is needed to tell is a guess by its name. Choose its name first (File &gt; Operations &gt; Fields).</source>
<translation>Un champ nécessaire pour le savoir est deviné d’après son nom. Choisissez d’abord son nom (Fichier &gt; Opérations &gt; Champs).</translation>
</message>
<message>
<source>A file of the program</source>
<translation>Un fichier du programme</translation>
</message>
<message>
<source>A file or an address, if the service publishes none.</source>
<translation>Un fichier ou une adresse, si le service n’en publie aucun.</translation>
</message>
<message>
<source>A file with certificates that are trusted for this shop beside the system’s.</source>
<translation>Un fichier de certificats reconnus pour ce magasin, en plus de ceux du système.</translation>
</message>
<message>
<source>A file, an address, or a profile’s name, such as rails. Empty: the one that the service publishes.</source>
<translation>Un fichier, une adresse ou le nom d’un profil, comme rails. Vide : celui que le service publie.</translation>
</message>
<message>
<source>A key that you enter is held in memory for this run, and is in no file.</source>
<translation>Une clé que vous entrez est gardée en mémoire jusqu’à la fermeture du programme, et n’est dans aucun fichier.</translation>
</message>
<message>
<source>A network folder can lose saved changes, and two computers can use the same files at once.</source>
<translation>Un dossier réseau peut perdre des modifications enregistrées, et deux ordinateurs peuvent utiliser les mêmes fichiers en même temps.</translation>
</message>
<message>
<source>A new pet has no stock entry yet: leave this cell empty.</source>
<translation>Un nouvel animal n’a pas encore de fiche de stock : laissez cette cellule vide.</translation>
</message>
<message>
<source>A pasted line was left out: {line}</source>
<translation>Une ligne collée a été écartée : {line}</translation>
</message>
<message>
<source>A pause or a ban by the service stays until it is over.</source>
<translation>Une pause ou un blocage imposé par le service dure jusqu’à son terme.</translation>
</message>
<message>
<source>A pet belongs to a category: add the first one here.</source>
<translation>Un animal appartient à une catégorie : ajoutez ici la première.</translation>
</message>
<message>
<source>A proxy or a sign-in page may stand in between: open the address in a browser to see what answers.</source>
<translation>Un proxy ou une page de connexion fait peut-être écran : ouvrez l’adresse dans un navigateur pour voir ce qui répond.</translation>
</message>
<message>
<source>A scan adds 1; a number and Enter sets how many. Ctrl+Z takes the last one back.</source>
<translation>Un scan ajoute 1 ; un nombre suivi d’Entrée fixe la quantité. Ctrl+Z annule le dernier.</translation>
</message>
<message>
<source>A scan adds 1; a number and Enter sets it.
The next scan commits.</source>
<translation>Un scan ajoute 1 ; un nombre suivi d’Entrée fixe la quantité.
Le scan suivant confirme.</translation>
</message>
<message>
<source>A scanner works wherever you are: its pet’s stock opens for the number.</source>
<translation>Un lecteur marche où que vous soyez : le stock de son animal s’ouvre pour le nombre.</translation>
</message>
<message>
<source>A spreadsheet rounded this number. Format the column as text, and enter it again.</source>
<translation>Un tableur a arrondi ce nombre. Mettez la colonne au format texte, et entrez-le de nouveau.</translation>
</message>
<message>
<source>A stock entry comes with its pet: add the pet.</source>
<translation>Une fiche de stock vient avec son animal : ajoutez l’animal.</translation>
</message>
<message>
<source>A stock is low when it is at or below its minimum; without one, nothing is ever low.</source>
<translation>Un stock est bas lorsqu’il est égal ou inférieur à son minimum ; sans minimum, rien n’est jamais bas.</translation>
</message>
<message>
<source>A web page came back instead of data.</source>
<translation>Une page web est arrivée au lieu de données.</translation>
</message>
<message>
<source>A whole shop, kept on this computer: searched as you type, offline too.</source>
<translation>Tout un magasin, gardé sur cet ordinateur : la recherche suit la frappe, hors ligne aussi.</translation>
</message>
<message>
<source>A window of its own opens, on a copy of {shop} as it is here. Nothing in it reaches the shop.</source>
<translation>Une fenêtre distincte s’ouvre, sur une copie du magasin {shop} tel qu’il est ici. Rien de ce qui s’y passe n’atteint le magasin.</translation>
</message>
<message>
<source>About Pet Store Desktop</source>
<translation>À propos de Pet Store Desktop</translation>
</message>
<message>
<source>Activity</source>
<translation>Activité</translation>
</message>
<message>
<source>Add a byte order mark, so that Excel reads UTF-8</source>
<translation>Ajouter une marque d’ordre des octets (BOM), pour qu’Excel lise l’UTF-8</translation>
</message>
<message>
<source>Add a category</source>
<translation>Ajouter une catégorie</translation>
</message>
<message>
<source>Add a pet</source>
<translation>Ajouter un animal</translation>
</message>
<message>
<source>Add an order</source>
<translation>Ajouter une commande</translation>
</message>
<message>
<source>Add category</source>
<translation>Ajouter la catégorie</translation>
</message>
<message>
<source>Add pets</source>
<translation>Ajouter des animaux</translation>
</message>
<message numerus="yes">
<source>Add them</source>
<translation>
<numerusform>L’ajouter</numerusform>
<numerusform>Les ajouter</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Add them again</source>
<translation>
<numerusform>L’ajouter de nouveau</numerusform>
<numerusform>Les ajouter de nouveau</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Add {n}</source>
<translation>
<numerusform>Ajouter {n}</numerusform>
<numerusform>Ajouter {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Add {n} pets</source>
<translation>
<numerusform>Ajouter {n} animal</numerusform>
<numerusform>Ajouter {n} animaux</numerusform>
</translation>
</message>
<message>
<source>Add {things}</source>
<translation>Ajouter {things}</translation>
</message>
<message>
<source>Adding categories</source>
<translation>Ajout de catégories</translation>
</message>
<message>
<source>Adding orders</source>
<translation>Ajout de commandes</translation>
</message>
<message>
<source>Adding pets</source>
<translation>Ajout d’animaux</translation>
</message>
<message>
<source>Address</source>
<translation>Adresse</translation>
</message>
<message>
<source>Address of the service</source>
<translation>Adresse du service</translation>
</message>
<message>
<source>After each code</source>
<translation>Après chaque code</translation>
</message>
<message>
<source>All</source>
<translation>Toutes</translation>
</message>
<message>
<source>All categories</source>
<translation>Toutes les catégories</translation>
</message>
<message>
<source>All files (*)</source>
<translation>Tous les fichiers (*)</translation>
</message>
<message>
<source>All in Activity</source>
<translation>Tout voir dans Activité</translation>
</message>
<message>
<source>All orders</source>
<translation>Toutes les commandes</translation>
</message>
<message>
<source>All other settings and connections are used. The data of your shops is still here.</source>
<translation>Toutes les autres préférences et connexions sont utilisées. Les données de vos magasins sont toujours là.</translation>
</message>
<message>
<source>All others are shown.</source>
<translation>Toutes les autres sont affichées.</translation>
</message>
<message>
<source>All pets</source>
<translation>Tous les animaux</translation>
</message>
<message>
<source>All sent, and undone since.</source>
<translation>Toutes envoyées, puis annulées.</translation>
</message>
<message>
<source>All stock</source>
<translation>Tout le stock</translation>
</message>
<message>
<source>All stock has a pet</source>
<translation>Chaque fiche de stock a un animal</translation>
</message>
<message>
<source>All this is in this file, and the same beside it as JSON:</source>
<translation>Tout cela est dans ce fichier, et à côté la même chose en JSON :</translation>
</message>
<message>
<source>All this is written to a file in {folder} first.</source>
<translation>Tout cela est d’abord écrit dans un fichier du dossier {folder}.</translation>
</message>
<message>
<source>All times shown are this computer’s.</source>
<translation>Toutes les heures affichées sont celles de cet ordinateur.</translation>
</message>
<message>
<source>All undone, never sent.</source>
<translation>Toutes annulées, jamais envoyées.</translation>
</message>
<message numerus="yes">
<source>All undone: {sent} after they were sent, {n} before.</source>
<translation>
<numerusform>Tout est annulé : {sent} après envoi, {n} avant.</numerusform>
<numerusform>Tout est annulé : {sent} après envoi, {n} avant.</numerusform>
</translation>
</message>
<message>
<source>All your changes there are sent.</source>
<translation>Toutes vos modifications y sont envoyées.</translation>
</message>
<message>
<source>All {things} were searched.</source>
<translation>Recherche effectuée parmi {things}.</translation>
</message>
<message>
<source>All: {rows}</source>
<translation>Tout : {rows}</translation>
</message>
<message>
<source>Already has this value: costs nothing</source>
<translation>A déjà cette valeur : ne coûte rien</translation>
</message>
<message>
<source>Amber</source>
<translation>Ambre</translation>
</message>
<message>
<source>An order stays with its pet.</source>
<translation>Une commande garde son animal.</translation>
</message>
<message>
<source>Animations</source>
<translation>Animations</translation>
</message>
<message>
<source>Another connection has this name; choose another.</source>
<translation>Une autre connexion porte ce nom ; choisissez-en un autre.</translation>
</message>
<message>
<source>Another value</source>
<translation>Autre valeur</translation>
</message>
<message>
<source>Another window uses this data folder.</source>
<translation>Une autre fenêtre utilise ce dossier de données.</translation>
</message>
<message>
<source>Answer</source>
<translation>Réponse</translation>
</message>
<message>
<source>Any day</source>
<translation>Tous les jours</translation>
</message>
<message>
<source>Any status</source>
<translation>Tous les statuts</translation>
</message>
<message>
<source>As here: {limits}</source>
<translation>Comme ici : {limits}</translation>
</message>
<message>
<source>As many as in stock</source>
<translation>Autant qu’en stock</translation>
</message>
<message>
<source>As many as received</source>
<translation>Autant que reçu</translation>
</message>
<message>
<source>As seen {time}</source>
<translation>Vu : {time}</translation>
</message>
<message>
<source>Ask once a week</source>
<translation>Vérifier une fois par semaine</translation>
</message>
<message>
<source>Ask the proxy’s administrator which certificate it needs.</source>
<translation>Demandez à l’administrateur du proxy quel certificat il faut.</translation>
</message>
<message>
<source>Ask the proxy’s administrator, or exclude this service (NO_PROXY).</source>
<translation>Demandez à l’administrateur du proxy, ou excluez ce service (NO_PROXY).</translation>
</message>
<message>
<source>Ask the proxy’s administrator.</source>
<translation>Demandez à l’administrateur du proxy.</translation>
</message>
<message>
<source>Ask the service’s provider for a newer one, or choose another document.</source>
<translation>Demandez-en un plus récent au fournisseur du service, ou choisissez un autre document.</translation>
</message>
<message>
<source>Ask the service’s provider for the permission, or use another key.</source>
<translation>Demandez l’autorisation au fournisseur du service, ou utilisez une autre clé.</translation>
</message>
<message>
<source>Ask the service’s provider to allow it, or use another key.</source>
<translation>Demandez l’autorisation au fournisseur du service, ou utilisez une autre clé.</translation>
</message>
<message>
<source>Ask the service’s provider to let this key read, or use another key.</source>
<translation>Demandez au fournisseur du service d’autoriser cette clé à lire, ou utilisez une autre clé.</translation>
</message>
<message>
<source>Ask the service’s provider.</source>
<translation>Demandez au fournisseur du service.</translation>
</message>
<message>
<source>Ask the service’s provider. If it is a mistake, end the pause in the window: Shop &gt; Resume now. A key that resumes too early may be banned.</source>
<translation>Demandez au fournisseur du service. S’il s’agit d’une erreur, mettez fin à la pause dans la fenêtre : Magasin &gt; Reprendre maintenant. Une clé qui reprend trop tôt risque d’être bloquée.</translation>
</message>
<message>
<source>Asking the service…</source>
<translation>Interrogation du service…</translation>
</message>
<message numerus="yes">
<source>At least {n}: there may be more that were not read</source>
<translation>
<numerusform>Au moins {n} : il peut y en avoir d’autres, qui n’ont pas été lus</numerusform>
<numerusform>Au moins {n} : il peut y en avoir d’autres, qui n’ont pas été lus</numerusform>
</translation>
</message>
<message>
<source>At most {n} cells can be changed at once.</source>
<translation>On ne peut pas modifier plus de {n} cellules à la fois.</translation>
</message>
<message>
<source>At this address the service has no such list: {said}.</source>
<translation>À cette adresse, le service n’a pas de telle liste : {said}.</translation>
</message>
<message>
<source>Automatic</source>
<translation>Automatique</translation>
</message>
<message>
<source>Automatic ({endpoint})</source>
<translation>Automatique ({endpoint})</translation>
</message>
<message>
<source>Automatic ({name})</source>
<translation>Automatique ({name})</translation>
</message>
<message>
<source>Back</source>
<translation>Précédent</translation>
</message>
<message>
<source>Bar code scanner</source>
<translation>Lecteur de codes-barres</translation>
</message>
<message>
<source>Bar codes</source>
<translation>Codes-barres</translation>
</message>
<message>
<source>Bar codes (*.json)</source>
<translation>Codes-barres (*.json)</translation>
</message>
<message>
<source>Bar codes…</source>
<translation>Codes-barres…</translation>
</message>
<message>
<source>Bar |</source>
<translation>Barre |</translation>
</message>
<message>
<source>Bars of {width} mm: hard to scan. Choose QR, or larger labels.</source>
<translation>Barres de {width} mm : difficiles à scanner. Choisissez QR, ou des étiquettes plus grandes.</translation>
</message>
<message>
<source>Bars of {width} mm: safe for hand scanners</source>
<translation>Barres de {width} mm : bien lisibles par les douchettes</translation>
</message>
<message>
<source>Batch</source>
<translation>Lot</translation>
</message>
<message>
<source>Beep</source>
<translation>Bip</translation>
</message>
<message>
<source>Before</source>
<translation>Avant</translation>
</message>
<message>
<source>Before each code</source>
<translation>Avant chaque code</translation>
</message>
<message>
<source>Before: {day}</source>
<translation>Avant : {day}</translation>
</message>
<message>
<source>Begun {began}, closed {ended}.</source>
<translation>Commencé le {began}, clos le {ended}.</translation>
</message>
<message>
<source>Begun {time}.</source>
<translation>Commencé le {time}.</translation>
</message>
<message>
<source>Below zero</source>
<translation>Négatif</translation>
</message>
<message>
<source>Big5, Chinese</source>
<translation>Big5, chinois</translation>
</message>
<message>
<source>Blind count</source>
<translation>Comptage à l’aveugle</translation>
</message>
<message>
<source>Blue</source>
<translation>Bleu</translation>
</message>
<message>
<source>Book</source>
<translation>Valider</translation>
</message>
<message>
<source>Book the count</source>
<translation>Valider le comptage</translation>
</message>
<message>
<source>Book the count: {what}</source>
<translation>Valider le comptage : {what}</translation>
</message>
<message numerus="yes">
<source>Book {n} lines</source>
<translation>
<numerusform>Valider {n} ligne</numerusform>
<numerusform>Valider {n} lignes</numerusform>
</translation>
</message>
<message>
<source>Booked</source>
<translation>Mouvement</translation>
</message>
<message>
<source>Booked in or out</source>
<translation>Entrée ou sortie</translation>
</message>
<message>
<source>Browse…</source>
<translation>Parcourir…</translation>
</message>
<message>
<source>Built with</source>
<translation>Créé avec</translation>
</message>
<message>
<source>By</source>
<translation>Où</translation>
</message>
<message>
<source>C&amp;hanges</source>
<translation>Modification&amp;s</translation>
</message>
<message>
<source>C&amp;heck the connection…</source>
<translation>&amp;Vérifier la connexion…</translation>
</message>
<message>
<source>C&amp;hoose a view…</source>
<translation>C&amp;hoisir une vue…</translation>
</message>
<message>
<source>C&amp;lear filter</source>
<translation>Effacer le fi&amp;ltre</translation>
</message>
<message>
<source>CA file (optional)</source>
<translation>Fichier CA (facultatif)</translation>
</message>
<message>
<source>Cancel</source>
<translation>Annuler</translation>
</message>
<message>
<source>Cancel an order</source>
<translation>Annuler une commande</translation>
</message>
<message>
<source>Cancel or&amp;der…</source>
<translation>Annu&amp;ler la commande…</translation>
</message>
<message>
<source>Cancelling orders</source>
<translation>Annulation de commandes</translation>
</message>
<message>
<source>Cannot be redone: {what} ({why})</source>
<translation>Impossible à rétablir : {what} ({why})</translation>
</message>
<message>
<source>Cannot be undone: {what} ({why})</source>
<translation>Impossible à annuler : {what} ({why})</translation>
</message>
<message>
<source>Categories</source>
<translation>Catégories</translation>
</message>
<message>
<source>Categories changed today</source>
<translation>Catégories modifiées aujourd’hui</translation>
</message>
<message>
<source>Categories that need attention</source>
<translation>Modifications de catégories à traiter</translation>
</message>
<message>
<source>Category</source>
<translation>Catégorie</translation>
</message>
<message>
<source>Category id</source>
<translation>Id de la catégorie</translation>
</message>
<message>
<source>Certificate</source>
<translation>Certificat</translation>
</message>
<message>
<source>Certificates</source>
<translation>Certificats</translation>
</message>
<message>
<source>Certificates (*.pem *.crt *.cer)</source>
<translation>Certificats (*.pem *.crt *.cer)</translation>
</message>
<message>
<source>Certificates to trust, if your company signs its own.</source>
<translation>Certificats à reconnaître, si votre entreprise signe les siens.</translation>
</message>
<message>
<source>Change</source>
<translation>Modification</translation>
</message>
<message>
<source>Change &amp;key…</source>
<translation>Changer la c&amp;lé…</translation>
</message>
<message>
<source>Change a category</source>
<translation>Modifier une catégorie</translation>
</message>
<message>
<source>Change a pet</source>
<translation>Modifier un animal</translation>
</message>
<message>
<source>Change an order</source>
<translation>Modifier une commande</translation>
</message>
<message>
<source>Change it and send it again, or discard it.</source>
<translation>Changez-la et renvoyez-la, ou abandonnez-la.</translation>
</message>
<message>
<source>Change key…</source>
<translation>Changer la clé…</translation>
</message>
<message>
<source>Change stock</source>
<translation>Modifier le stock</translation>
</message>
<message>
<source>Change the category of {things}</source>
<translation>Modifier la catégorie de {things}</translation>
</message>
<message>
<source>Change the description of {things}</source>
<translation>Modifier la description de {things}</translation>
</message>
<message>
<source>Change the line, or choose another profile. The manual says what one may say.</source>
<translation>Modifiez la ligne, ou choisissez un autre profil. Le manuel dit ce qui peut y figurer.</translation>
</message>
<message>
<source>Change the quantity of {things}</source>
<translation>Modifier la quantité de {things}</translation>
</message>
<message>
<source>Change the ship date of {things}</source>
<translation>Modifier la date d’expédition de {things}</translation>
</message>
<message>
<source>Change the state of {things}</source>
<translation>Modifier l’état de {things}</translation>
</message>
<message>
<source>Change the status of {things}</source>
<translation>Modifier le statut de {things}</translation>
</message>
<message>
<source>Change the stock of {things}</source>
<translation>Modifier le stock de {things}</translation>
</message>
<message>
<source>Change this size…</source>
<translation>Modifier ce format…</translation>
</message>
<message numerus="yes">
<source>Change {n}</source>
<translation>
<numerusform>Modifier {n}</numerusform>
<numerusform>Modifier {n}</numerusform>
</translation>
</message>
<message>
<source>Change {things}</source>
<translation>Modifier {things}</translation>
</message>
<message>
<source>Changed about when it was counted: recount or decide</source>
<translation>Changé vers le moment du comptage : recompter ou décider</translation>
</message>
<message>
<source>Changed between {since} and {time}</source>
<translation>Changé entre le {since} et le {time}</translation>
</message>
<message>
<source>Changed elsewhere meanwhile: {theirs}. Nothing was overwritten.</source>
<translation>Modifiée ailleurs entre-temps : {theirs}. Rien n’a été écrasé.</translation>
</message>
<message>
<source>Changed meanwhile: left out</source>
<translation>Changé entre-temps : écarté</translation>
</message>
<message>
<source>Changed on this computer since it was counted: recount or decide</source>
<translation>Changé sur cet ordinateur depuis le comptage : recompter ou décider</translation>
</message>
<message>
<source>Changed on this computer since: recount or decide</source>
<translation>Changé sur cet ordinateur depuis : recompter ou décider</translation>
</message>
<message>
<source>Changed today</source>
<translation>Modifiés aujourd’hui</translation>
</message>
<message>
<source>Changed today</source>
<comment>a record</comment>
<translation>Modifié aujourd’hui</translation>
</message>
<message>
<source>Changes</source>
<translation>Modifications</translation>
</message>
<message>
<source>Changes between the two moments</source>
<translation>Modifications entre les deux moments</translation>
</message>
<message>
<source>Changes from {then} to {now}</source>
<translation>Modifications du {then} au {now}</translation>
</message>
<message>
<source>Changes of this record: its name or id</source>
<translation>Modifications de cette fiche : son nom ou son identifiant</translation>
</message>
<message>
<source>Changes wait for the old address; send or discard them first.</source>
<translation>Des modifications attendent pour l’ancienne adresse ; envoyez-les ou abandonnez-les d’abord.</translation>
</message>
<message>
<source>Changes wait: the rest of today’s requests is kept for you</source>
<translation>Des modifications attendent : le reste des requêtes du jour vous est réservé</translation>
</message>
<message>
<source>Changing categories</source>
<translation>Modification de catégories</translation>
</message>
<message>
<source>Changing orders</source>
<translation>Modification de commandes</translation>
</message>
<message>
<source>Changing pets</source>
<translation>Modification d’animaux</translation>
</message>
<message>
<source>Changing stock</source>
<translation>Modification du stock</translation>
</message>
<message>
<source>Check &amp;live</source>
<translation>Vérifier e&amp;n direct</translation>
</message>
<message>
<source>Check again</source>
<translation>Vérifier de nouveau</translation>
</message>
<message>
<source>Check again after that.</source>
<translation>Vérifiez de nouveau après cette heure.</translation>
</message>
<message>
<source>Check its path or address, or leave it out.</source>
<translation>Vérifiez son chemin ou son adresse, ou n’en indiquez pas.</translation>
</message>
<message>
<source>Check its permissions.</source>
<translation>Vérifiez ses droits d’accès.</translation>
</message>
<message>
<source>Check live</source>
<translation>Vérifier en direct</translation>
</message>
<message>
<source>Check that the keyring runs and is unlocked, then forget the connection again.</source>
<translation>Vérifiez que le trousseau fonctionne et qu’il est déverrouillé, puis oubliez de nouveau la connexion.</translation>
</message>
<message>
<source>Check the address and its path (it often ends in /v1). If the service has other paths, add its document, or choose what it is built with.</source>
<translation>Vérifiez l’adresse et son chemin (il se termine souvent par /v1). Si le service a d’autres chemins, ajoutez son document ou choisissez avec quoi il est créé.</translation>
</message>
<message>
<source>Check the address and its path, or ask the service’s provider for the new one.</source>
<translation>Vérifiez l’adresse et son chemin, ou demandez la nouvelle au fournisseur du service.</translation>
</message>
<message>
<source>Check the address and its path, or ask the service’s provider.</source>
<translation>Vérifiez l’adresse et son chemin, ou demandez au fournisseur du service.</translation>
</message>
<message>
<source>Check the address and its path.</source>
<translation>Vérifiez l’adresse et son chemin.</translation>
</message>
<message>
<source>Check the address and its path: this may be another service.</source>
<translation>Vérifiez l’adresse et son chemin : il s’agit peut-être d’un autre service.</translation>
</message>
<message>
<source>Check the address and the document in the connection’s settings.</source>
<translation>Vérifiez l’adresse et le document dans les paramètres de la connexion.</translation>
</message>
<message>
<source>Check the address, and what the document in the connection’s settings says about this list.</source>
<translation>Vérifiez l’adresse, et ce que le document des paramètres de la connexion dit de cette liste.</translation>
</message>
<message>
<source>Check the address, or choose another document.</source>
<translation>Vérifiez l’adresse, ou choisissez un autre document.</translation>
</message>
<message>
<source>Check the address.</source>
<translation>Vérifiez l’adresse.</translation>
</message>
<message>
<source>Check the address: it must have the name that the certificate is for.</source>
<translation>Vérifiez l’adresse : elle doit porter le nom pour lequel le certificat est établi.</translation>
</message>
<message>
<source>Check the address; a name inside a company may need its network first.</source>
<translation>Vérifiez l’adresse ; un nom interne à une entreprise peut exiger d’être sur son réseau.</translation>
</message>
<message>
<source>Check the address; the service may be down.</source>
<translation>Vérifiez l’adresse ; le service est peut-être arrêté.</translation>
</message>
<message>
<source>Check the connection to {shop}</source>
<translation>Vérifier la connexion à {shop}</translation>
</message>
<message>
<source>Check the disk and restart the program. Make the last change again only if it is missing then.</source>
<translation>Vérifiez le disque et redémarrez le programme. Ne refaites la dernière modification que si elle manque alors.</translation>
</message>
<message>
<source>Check the disk, then restart the program.</source>
<translation>Vérifiez le disque, puis redémarrez le programme.</translation>
</message>
<message>
<source>Check the disk, then try again.</source>
<translation>Vérifiez le disque, puis réessayez.</translation>
</message>
<message>
<source>Check the document, or choose another one.</source>
<translation>Vérifiez le document, ou choisissez-en un autre.</translation>
</message>
<message>
<source>Check the keyring’s own program, then enter the key again.</source>
<translation>Vérifiez avec le programme du trousseau, puis entrez de nouveau la clé.</translation>
</message>
<message>
<source>Check the network, or a VPN that may be needed.</source>
<translation>Vérifiez le réseau, ou le VPN éventuellement nécessaire.</translation>
</message>
<message>
<source>Check the path of the address, or ask the service’s provider for the right one.</source>
<translation>Vérifiez le chemin de l’adresse, ou demandez le bon au fournisseur du service.</translation>
</message>
<message>
<source>Check the permissions of its folder, then restart the program.</source>
<translation>Vérifiez les droits d’accès de son dossier, puis redémarrez le programme.</translation>
</message>
<message>
<source>Check the permissions of its folder, then try again.</source>
<translation>Vérifiez les droits d’accès de son dossier, puis réessayez.</translation>
</message>
<message>
<source>Check the port in the address.</source>
<translation>Vérifiez le port dans l’adresse.</translation>
</message>
<message>
<source>Check the port in the address; the key is never sent unencrypted.</source>
<translation>Vérifiez le port dans l’adresse ; la clé n’est jamais envoyée sans chiffrement.</translation>
</message>
<message>
<source>Check the port; a firewall can do this as well.</source>
<translation>Vérifiez le port ; un pare-feu peut aussi en être la cause.</translation>
</message>
<message>
<source>Check the proxy’s address and the network.</source>
<translation>Vérifiez l’adresse du proxy et le réseau.</translation>
</message>
<message>
<source>Check the record live.</source>
<translation>Vérifiez la fiche en direct.</translation>
</message>
<message>
<source>Check this computer’s clock. If it is right, ask the service’s provider.</source>
<translation>Vérifiez l’horloge de cet ordinateur. Si elle est juste, demandez au fournisseur du service.</translation>
</message>
<message>
<source>Check this computer’s clock. If it is right, the service’s provider must renew the certificate.</source>
<translation>Vérifiez l’horloge de cet ordinateur. Si elle est juste, le fournisseur du service doit renouveler le certificat.</translation>
</message>
<message>
<source>Check whether another window asks for its password, then check again.</source>
<translation>Vérifiez si une autre fenêtre demande son mot de passe, puis vérifiez de nouveau.</translation>
</message>
<message>
<source>Check whether another window asks for its password, then enter the key again.</source>
<translation>Vérifiez si une autre fenêtre demande son mot de passe, puis entrez de nouveau la clé.</translation>
</message>
<message>
<source>Check whether the disk is full or its folder is write-protected.</source>
<translation>Vérifiez si le disque est plein ou si son dossier est protégé en écriture.</translation>
</message>
<message>
<source>Check whether the disk is full, then restart the program. The earlier version still works.</source>
<translation>Vérifiez si le disque est plein, puis redémarrez le programme. La version précédente fonctionne encore.</translation>
</message>
<message>
<source>Check your last changes, and make the missing ones again.</source>
<translation>Vérifiez vos dernières modifications, et refaites celles qui manquent.</translation>
</message>
<message>
<source>Choose QR, or larger labels.</source>
<translation>Choisissez QR, ou des étiquettes plus grandes.</translation>
</message>
<message>
<source>Choose a category</source>
<translation>Choisir une catégorie</translation>
</message>
<message>
<source>Choose a category.</source>
<translation>Choisissez une catégorie.</translation>
</message>
<message>
<source>Choose a day</source>
<translation>Choisir un jour</translation>
</message>
<message>
<source>Choose a document with those for pets, categories, orders and stock alone.</source>
<translation>Choisissez un document qui ne contient que celles des animaux, des catégories, des commandes et du stock.</translation>
</message>
<message>
<source>Choose a file from “Export views”. If it is incomplete, export or copy it again.</source>
<translation>Choisissez un fichier issu de « Exporter les vues ». S’il est incomplet, exportez-le ou copiez-le de nouveau.</translation>
</message>
<message>
<source>Choose a file from “Export” of “Bar codes”. If it is incomplete, export or copy it again.</source>
<translation>Choisissez un fichier issu de « Exporter » dans « Codes-barres ». S’il est incomplet, exportez-le ou copiez-le de nouveau.</translation>
</message>
<message>
<source>Choose a file in PEM form, with BEGIN CERTIFICATE in it.</source>
<translation>Choisissez un fichier au format PEM, qui contient BEGIN CERTIFICATE.</translation>
</message>
<message>
<source>Choose a file with only the certificates of the authority that the service needs.</source>
<translation>Choisissez un fichier qui ne contient que les certificats de l’autorité dont le service a besoin.</translation>
</message>
<message>
<source>Choose a file, or move this away, then try again.</source>
<translation>Choisissez un fichier, ou déplacez ceci ailleurs, puis réessayez.</translation>
</message>
<message>
<source>Choose a file…</source>
<translation>Choisir un fichier…</translation>
</message>
<message>
<source>Choose a pet.</source>
<translation>Choisissez un animal.</translation>
</message>
<message>
<source>Choose a row first.</source>
<translation>Choisissez d’abord une ligne.</translation>
</message>
<message>
<source>Choose another document, or connect without one.</source>
<translation>Choisissez un autre document, ou connectez-vous sans document.</translation>
</message>
<message>
<source>Choose another document.</source>
<translation>Choisissez un autre document.</translation>
</message>
<message>
<source>Choose another file, or put it back.</source>
<translation>Choisissez un autre fichier, ou remettez-le en place.</translation>
</message>
<message>
<source>Choose another file…</source>
<translation>Choisir un autre fichier…</translation>
</message>
<message>
<source>Choose another folder, or create this one.</source>
<translation>Choisissez un autre dossier, ou créez celui-ci.</translation>
</message>
<message>
<source>Choose another place…</source>
<translation>Choisir un autre emplacement…</translation>
</message>
<message>
<source>Choose its pet</source>
<translation>Choisir son animal</translation>
</message>
<message>
<source>Choose larger labels.</source>
<translation>Choisissez des étiquettes plus grandes.</translation>
</message>
<message>
<source>Choose open or complete.</source>
<translation>Choisissez « ouverte » ou « terminée ».</translation>
</message>
<message>
<source>Choose pets</source>
<translation>Choisir des animaux</translation>
</message>
<message>
<source>Choose the OpenAPI document</source>
<translation>Choisir le document OpenAPI</translation>
</message>
<message>
<source>Choose the days first.</source>
<translation>Choisissez d’abord les jours.</translation>
</message>
<message>
<source>Choose the file with certificates</source>
<translation>Choisir le fichier de certificats</translation>
</message>
<message>
<source>Choose the plan that the program counts by. The demo shop keeps the plan it was started with.</source>
<translation>Choisissez le forfait d’après lequel le programme compte. Le magasin de démonstration garde le forfait de son démarrage.</translation>
</message>
<message>
<source>Choose your plan in the connection’s settings. Until then the program sends one request at a time.</source>
<translation>Choisissez votre forfait dans les paramètres de la connexion. D’ici là, le programme envoie une requête à la fois.</translation>
</message>
<message>
<source>Choose…</source>
<translation>Choisir…</translation>
</message>
<message>
<source>Chosen pets</source>
<translation>Animaux choisis</translation>
</message>
<message numerus="yes">
<source>Chosen; {n} more fields of this record to choose</source>
<translation>
<numerusform>Choisi ; encore {n} champ de cette fiche à choisir</numerusform>
<numerusform>Choisi ; encore {n} champs de cette fiche à choisir</numerusform>
</translation>
</message>
<message>
<source>Clear all</source>
<translation>Tout effacer</translation>
</message>
<message>
<source>Clear all filters</source>
<translation>Effacer tous les filtres</translation>
</message>
<message>
<source>Clear filter</source>
<translation>Effacer le filtre</translation>
</message>
<message>
<source>Click a place on the sheet to begin there.</source>
<translation>Cliquez sur un emplacement de la feuille pour commencer là.</translation>
</message>
<message>
<source>Clock</source>
<translation>Horloge</translation>
</message>
<message>
<source>Clocks differ by {length}</source>
<translation>Horloges décalées de {length}</translation>
</message>
<message>
<source>Close</source>
<translation>Fermer</translation>
</message>
<message>
<source>Close Pet Store Desktop?</source>
<translation>Fermer Pet Store Desktop ?</translation>
</message>
<message>
<source>Close details</source>
<translation>Fermer les détails</translation>
</message>
<message>
<source>Close that program, then restart this one.</source>
<translation>Fermez cet autre programme, puis redémarrez Pet Store.</translation>
</message>
<message>
<source>Close that program, then try again.</source>
<translation>Fermez cet autre programme, puis réessayez.</translation>
</message>
<message>
<source>Close the count &amp;without booking</source>
<translation>Clore le comptage &amp;sans valider</translation>
</message>
<message>
<source>Close the preview before you go on counting.</source>
<translation>Fermez l’aperçu avant de continuer à compter.</translation>
</message>
<message>
<source>Close without importing?</source>
<translation>Fermer sans importer ?</translation>
</message>
<message>
<source>Close without saving?</source>
<translation>Fermer sans enregistrer ?</translation>
</message>
<message>
<source>Code</source>
<translation>Code</translation>
</message>
<message>
<source>Code 128</source>
<translation>Code 128</translation>
</message>
<message>
<source>Col&amp;umns shown</source>
<translation>Colonnes a&amp;ffichées</translation>
</message>
<message>
<source>Colour beside its name</source>
<translation>Couleur à côté de son nom</translation>
</message>
<message>
<source>Column</source>
<translation>Colonne</translation>
</message>
<message>
<source>Column in the file</source>
<translation>Colonne du fichier</translation>
</message>
<message numerus="yes">
<source>Column {n}</source>
<translation>
<numerusform>Colonne {n}</numerusform>
<numerusform>Colonne {n}</numerusform>
</translation>
</message>
<message>
<source>Columns</source>
<translation>Colonnes</translation>
</message>
<message>
<source>Columns: {columns}.</source>
<translation>Colonnes : {columns}.</translation>
</message>
<message>
<source>Comma</source>
<translation>Virgule</translation>
</message>
<message>
<source>Compare both values, then send yours again or discard it.</source>
<translation>Comparez les deux valeurs, puis renvoyez la vôtre ou abandonnez-la.</translation>
</message>
<message>
<source>Compare from {time}</source>
<translation>Comparer depuis {time}</translation>
</message>
<message>
<source>Compare the record with what you wanted, and change it where needed.</source>
<translation>Comparez la fiche avec ce que vous vouliez, et modifiez-la si nécessaire.</translation>
</message>
<message>
<source>Compare the records of your last changes with what you wanted (Activity).</source>
<translation>Comparez les fiches de vos dernières modifications avec ce que vous vouliez (Activité).</translation>
</message>
<message>
<source>Compare this computer’s clock with another one, such as a phone’s.</source>
<translation>Comparez l’horloge de cet ordinateur avec une autre, par exemple celle d’un téléphone.</translation>
</message>
<message>
<source>Compare two days</source>
<translation>Comparer deux jours</translation>
</message>
<message>
<source>Compare up to now</source>
<translation>Comparer jusqu’à maintenant</translation>
</message>
<message>
<source>Comparing {n} of {total}</source>
<translation>Comparaison : {n} sur {total}</translation>
</message>
<message numerus="yes">
<source>Comparing: {n} %</source>
<translation>
<numerusform>Comparaison : {n} %</numerusform>
<numerusform>Comparaison : {n} %</numerusform>
</translation>
</message>
<message>
<source>Complete</source>
<translation>Terminée</translation>
</message>
<message>
<source>Connect</source>
<translation>Connecter</translation>
</message>
<message>
<source>Connect &amp;another shop…</source>
<translation>Connecter &amp;un autre magasin…</translation>
</message>
<message>
<source>Connect again under the same name and address.</source>
<translation>Connectez-vous de nouveau sous le même nom et à la même adresse.</translation>
</message>
<message>
<source>Connect another shop</source>
<translation>Connecter un autre magasin</translation>
</message>
<message>
<source>Connect to a network.</source>
<translation>Connectez-vous à un réseau.</translation>
</message>
<message>
<source>Connect your shop</source>
<translation>Connecter votre magasin</translation>
</message>
<message>
<source>Connection &amp;settings…</source>
<translation>Para&amp;mètres de la connexion…</translation>
</message>
<message>
<source>Connection settings</source>
<translation>Paramètres de la connexion</translation>
</message>
<message>
<source>Continue</source>
<translation>Continuer</translation>
</message>
<message>
<source>Cop&amp;y id</source>
<translation>Copier l’iden&amp;tifiant</translation>
</message>
<message>
<source>Copies</source>
<translation>Exemplaires</translation>
</message>
<message>
<source>Copy</source>
<translation>Copier</translation>
</message>
<message>
<source>Copy &amp;requests for support</source>
<translation>Copier les re&amp;quêtes pour l’assistance</translation>
</message>
<message>
<source>Copy diagnostics</source>
<translation>Copier le diagnostic</translation>
</message>
<message>
<source>Copy for support</source>
<translation>Copier pour l’assistance</translation>
</message>
<message>
<source>Copy it again, and nothing else with it.</source>
<translation>Copiez-la de nouveau, et rien d’autre avec elle.</translation>
</message>
<message>
<source>Copy it again, without spaces and line breaks.</source>
<translation>Copiez-la de nouveau, sans espaces ni sauts de ligne.</translation>
</message>
<message>
<source>Copy the &amp;sentence</source>
<translation>Cop&amp;ier la phrase</translation>
</message>
<message>
<source>Copy the sentence ({key})</source>
<translation>Copier la phrase ({key})</translation>
</message>
<message>
<source>Copy the whole key again, or ask for another one.</source>
<translation>Copiez de nouveau la clé entière, ou demandez-en une autre.</translation>
</message>
<message>
<source>Copy the whole key again, or ask for another one. If the service expects the key in an unusual place, add its OpenAPI document.</source>
<translation>Copiez de nouveau la clé entière, ou demandez-en une autre. Si le service attend la clé à un endroit inhabituel, ajoutez son document OpenAPI.</translation>
</message>
<message>
<source>Copy this key again, or ask the service’s provider for another one.</source>
<translation>Copiez cette clé de nouveau, ou demandez-en une autre au fournisseur du service.</translation>
</message>
<message>
<source>Copy with &amp;headers</source>
<translation>Copier a&amp;vec les en-têtes</translation>
</message>
<message numerus="yes">
<source>Copy {n} wrong rows with the reasons</source>
<translation>
<numerusform>Copier {n} ligne erronée avec la raison</numerusform>
<numerusform>Copier {n} lignes erronées avec les raisons</numerusform>
</translation>
</message>
<message>
<source>Correct the clock that is wrong. Pauses are exact all the same.</source>
<translation>Corrigez l’horloge qui est fausse. Les pauses restent exactes malgré tout.</translation>
</message>
<message>
<source>Could not be refreshed</source>
<translation>Actualisation impossible</translation>
</message>
<message>
<source>Count {pet} again: scan it, or type its number. Undo brings back its count.</source>
<translation>Recomptez {pet} : scannez-le, ou tapez son nombre. « Annuler » rétablit son comptage.</translation>
</message>
<message>
<source>Counted</source>
<translation>Compté</translation>
</message>
<message>
<source>Counted</source>
<comment>a list</comment>
<translation>Compté</translation>
</message>
<message>
<source>Counted at</source>
<translation>Date et heure</translation>
</message>
<message>
<source>Counted by</source>
<translation>Compté par</translation>
</message>
<message>
<source>Counted by {who}.</source>
<translation>Compté par {who}.</translation>
</message>
<message>
<source>Counted here: the service does not say.</source>
<translation>Compté ici : le service ne l’indique pas.</translation>
</message>
<message>
<source>Counting goes on; review the variances again when it is done.</source>
<translation>Le comptage continue ; examinez de nouveau les écarts quand il sera fini.</translation>
</message>
<message>
<source>Create</source>
<translation>Création</translation>
</message>
<message>
<source>Ctrl+Enter shows it in its list</source>
<translation>Ctrl+Entrée l’affiche dans sa liste</translation>
</message>
<message>
<source>Ctrl+Z undoes all of it, even tomorrow.</source>
<translation>Ctrl+Z annule tout, même demain.</translation>
</message>
<message>
<source>Ctrl+Z undoes it only until it is sent.</source>
<translation>Ctrl+Z n’annule que tant que rien n’est envoyé.</translation>
</message>
<message>
<source>Ctrl+Z undoes it until it is sent. After that this service cannot restore it.</source>
<translation>Ctrl+Z annule tant que rien n’est envoyé. Ensuite, ce service ne peut pas rétablir la fiche.</translation>
</message>
<message>
<source>Ctrl+Z undoes it, but sent new records stay: this service does not delete them.</source>
<translation>Ctrl+Z annule, mais les nouvelles fiches envoyées restent : ce service ne les supprime pas.</translation>
</message>
<message>
<source>Ctrl+Z undoes it, sent or not, tomorrow too.</source>
<translation>Ctrl+Z l’annule, envoyé ou non, demain encore.</translation>
</message>
<message numerus="yes">
<source>Ctrl+Z undoes it. Once sent, undo adds these {n} again with new ids.</source>
<translation>
<numerusform>Ctrl+Z annule. Après l’envoi, l’annulation l’ajoute de nouveau avec un nouvel identifiant.</numerusform>
<numerusform>Ctrl+Z annule. Après l’envoi, l’annulation ajoute de nouveau ces {n} fiches avec de nouveaux identifiants.</numerusform>
</translation>
</message>
<message>
<source>Dark</source>
<translation>Sombre</translation>
</message>
<message>
<source>Data chec&amp;ks</source>
<translation>&amp;Contrôles des données</translation>
</message>
<message>
<source>Data folder</source>
<translation>Dossier des données</translation>
</message>
<message>
<source>Data kept on this computer needs no request.</source>
<translation>Les données conservées sur cet ordinateur ne demandent aucune requête.</translation>
</message>
<message>
<source>Dates</source>
<translation>Dates</translation>
</message>
<message>
<source>Day</source>
<translation>Jour</translation>
</message>
<message>
<source>Day.Month.Year</source>
<translation>Jour.Mois.Année</translation>
</message>
<message>
<source>Days</source>
<translation>Jours</translation>
</message>
<message>
<source>Decide</source>
<translation>Décider</translation>
</message>
<message>
<source>Del</source>
<translation>Suppr</translation>
</message>
<message>
<source>Delete</source>
<translation>Supprimer</translation>
</message>
<message>
<source>Delete</source>
<comment>a change</comment>
<translation>Suppression</translation>
</message>
<message>
<source>Delete a category</source>
<translation>Supprimer une catégorie</translation>
</message>
<message>
<source>Delete a pet</source>
<translation>Supprimer un animal</translation>
</message>
<message>
<source>Delete order {id}?</source>
<translation>Supprimer la commande {id} ?</translation>
</message>
<message>
<source>Delete puts this away until there are more.</source>
<translation>Suppr masque cette ligne jusqu’à ce qu’il y en ait davantage.</translation>
</message>
<message>
<source>Delete them again, or ask the service’s provider why it keeps them.</source>
<translation>Supprimez-les de nouveau, ou demandez au fournisseur du service pourquoi il les garde.</translation>
</message>
<message>
<source>Delete this size</source>
<translation>Supprimer ce format</translation>
</message>
<message numerus="yes">
<source>Delete {n}</source>
<translation>
<numerusform>Supprimer {n}</numerusform>
<numerusform>Supprimer {n}</numerusform>
</translation>
</message>
<message>
<source>Delete {things}</source>
<translation>Supprimer {things}</translation>
</message>
<message>
<source>Delete {things}?</source>
<translation>Supprimer {things} ?</translation>
</message>
<message>
<source>Delete {view}</source>
<translation>Supprimer {view}</translation>
</message>
<message>
<source>Deleting categories</source>
<translation>Suppression de catégories</translation>
</message>
<message>
<source>Deleting pets</source>
<translation>Suppression d’animaux</translation>
</message>
<message numerus="yes">
<source>Delivery: {n} lines</source>
<translation>
<numerusform>Réception : {n} ligne</numerusform>
<numerusform>Réception : {n} lignes</numerusform>
</translation>
</message>
<message>
<source>Deprecated: was to be removed on {day}</source>
<translation>Obsolète : devait être supprimée le {day}</translation>
</message>
<message>
<source>Deprecated: will be removed on {day}, {left}</source>
<translation>Obsolète : sera supprimée le {day}, {left}</translation>
</message>
<message>
<source>Deprecated: will be removed some day</source>
<translation>Obsolète : sera supprimée un jour</translation>
</message>
<message>
<source>Description</source>
<translation>Description</translation>
</message>
<message>
<source>Details</source>
<translation>Détails</translation>
</message>
<message>
<source>Diagnostics are on the clipboard.</source>
<translation>Le diagnostic est dans le presse-papiers.</translation>
</message>
<message>
<source>Difference</source>
<translation>Écart</translation>
</message>
<message>
<source>Disc&amp;ard changes of this view</source>
<translation>A&amp;bandonner les modifications de cette vue</translation>
</message>
<message>
<source>Discard</source>
<translation>Abandonner</translation>
</message>
<message>
<source>Discard changes of {view}</source>
<translation>Abandonner les modifications de {view}</translation>
</message>
<message>
<source>Discard mine</source>
<translation>Abandonner la mienne</translation>
</message>
<message>
<source>Discard {changes}?</source>
<translation>Abandonner {changes} ?</translation>
</message>
<message>
<source>Discarded</source>
<translation>Abandonnées</translation>
</message>
<message>
<source>Discarded {time}, never sent.</source>
<translation>Abandonnée ({time}), jamais envoyée.</translation>
</message>
<message>
<source>Discarded {time}.</source>
<translation>Abandonnée ({time}).</translation>
</message>
<message>
<source>Discarded {time}; the service had refused it.</source>
<translation>Abandonnée ({time}) ; le service l’avait refusée.</translation>
</message>
<message numerus="yes">
<source>Do not add them</source>
<translation>
<numerusform>Ne pas l’ajouter</numerusform>
<numerusform>Ne pas les ajouter</numerusform>
</translation>
</message>
<message>
<source>Do not ask</source>
<translation>Ne pas vérifier</translation>
</message>
<message>
<source>Do not continue. Ask the service’s provider.</source>
<translation>Ne continuez pas. Demandez au fournisseur du service.</translation>
</message>
<message>
<source>Document</source>
<translation>Document</translation>
</message>
<message>
<source>Don’t say this again</source>
<translation>Ne plus afficher ce message</translation>
</message>
<message>
<source>Due today</source>
<translation>Pour aujourd’hui</translation>
</message>
<message>
<source>E&amp;xclude this</source>
<translation>E&amp;xclure cette valeur</translation>
</message>
<message>
<source>EUC-KR, Korean</source>
<translation>EUC-KR, coréen</translation>
</message>
<message>
<source>Each code that was scanned is a pet’s.</source>
<translation>Chaque code scanné est celui d’un animal.</translation>
</message>
<message>
<source>Each scan is a line here, saved at once. Book them when all is scanned.</source>
<translation>Chaque scan donne une ligne ici, enregistrée aussitôt. Validez-les quand tout est scanné.</translation>
</message>
<message>
<source>Earlier</source>
<translation>Avant</translation>
</message>
<message>
<source>Earlier saved changes are safe. The last change may be saved after all.</source>
<translation>Les modifications déjà enregistrées sont en sécurité. La dernière l’est peut-être malgré tout.</translation>
</message>
<message>
<source>Earlier saved changes are safe; the last change is not.</source>
<translation>Les modifications déjà enregistrées sont en sécurité ; la dernière ne l’est pas.</translation>
</message>
<message>
<source>Ed&amp;it cell</source>
<translation>&amp;Modifier la cellule</translation>
</message>
<message>
<source>Edit</source>
<translation>Modifier</translation>
</message>
<message>
<source>Edit &amp;stock</source>
<translation>Modifier le &amp;stock</translation>
</message>
<message>
<source>Edit of many rows</source>
<translation>Modification de plusieurs lignes</translation>
</message>
<message>
<source>Edit {name}</source>
<translation>Modifier {name}</translation>
</message>
<message>
<source>Editing these costs {requests}</source>
<translation>Modifier cette sélection coûte {requests}</translation>
</message>
<message>
<source>Empty for none. 0 marks only sold-out stock.</source>
<translation>Vide : aucun minimum. 0 ne signale que le stock épuisé.</translation>
</message>
<message>
<source>Empty for the category’s. 0 marks only sold-out stock.</source>
<translation>Vide : celui de la catégorie. 0 ne signale que le stock épuisé.</translation>
</message>
<message>
<source>Empty for the category’s: {n}. 0 marks only sold-out stock.</source>
<translation>Vide : celui de la catégorie, {n}. 0 ne signale que le stock épuisé.</translation>
</message>
<message>
<source>Empty for the category’s: {n}. The column To order counts up to it.</source>
<translation>Vide : celui de la catégorie, {n}. La colonne À commander compte jusqu’à ce nombre.</translation>
</message>
<message>
<source>Empty keeps each value. 0 marks only sold-out stock.</source>
<translation>Vide : chaque valeur reste. 0 ne signale que le stock épuisé.</translation>
</message>
<message>
<source>Empty keeps each value. The column To order counts up to it.</source>
<translation>Vide : chaque valeur reste. La colonne À commander compte jusqu’à ce nombre.</translation>
</message>
<message>
<source>Empty to order up to the minimum. The column To order counts up to it.</source>
<translation>Vide : commander jusqu’au minimum. La colonne À commander compte jusqu’à ce nombre.</translation>
</message>
<message>
<source>Encoding</source>
<translation>Encodage</translation>
</message>
<message>
<source>End</source>
<translation>Fin</translation>
</message>
<message>
<source>End</source>
<comment>the rehearsal</comment>
<translation>Terminer</translation>
</message>
<message>
<source>End</source>
<comment>what plays by itself</comment>
<translation>Terminer</translation>
</message>
<message>
<source>End the rehearsal?</source>
<translation>Terminer la simulation ?</translation>
</message>
<message>
<source>End: {day}</source>
<translation>Fin : {day}</translation>
</message>
<message>
<source>Endless roll, {width} mm wide</source>
<translation>Rouleau continu, largeur {width} mm</translation>
</message>
<message>
<source>Enough for today at this pace</source>
<translation>À ce rythme, cela suffit pour aujourd’hui</translation>
</message>
<message>
<source>Enough for today at this pace.</source>
<translation>À ce rythme, cela suffit pour aujourd’hui.</translation>
</message>
<message>
<source>Enter</source>
<translation>Entrée</translation>
</message>
<message>
<source>Enter a date.</source>
<translation>Entrez une date.</translation>
</message>
<message>
<source>Enter a day, such as {example}.</source>
<translation>Entrez un jour, par exemple {example}.</translation>
</message>
<message>
<source>Enter a day: fri, +3, tomorrow, {example}</source>
<translation>Entrez un jour : ven, +3, demain, {example}</translation>
</message>
<message>
<source>Enter a key.</source>
<translation>Entrez une clé.</translation>
</message>
<message>
<source>Enter a name.</source>
<translation>Entrez un nom.</translation>
</message>
<message>
<source>Enter a number from 0 to {most}</source>
<translation>Entrez un nombre de 0 à {most}</translation>
</message>
<message>
<source>Enter a number.</source>
<translation>Entrez un nombre.</translation>
</message>
<message>
<source>Enter a valid date.</source>
<translation>Entrez une date valide.</translation>
</message>
<message>
<source>Enter a whole number</source>
<translation>Entrez un nombre entier</translation>
</message>
<message>
<source>Enter a whole number as the id.</source>
<translation>Entrez un nombre entier comme identifiant.</translation>
</message>
<message>
<source>Enter a whole number from 1 to {most}.</source>
<translation>Entrez un nombre entier de 1 à {most}.</translation>
</message>
<message>
<source>Enter a whole number, such as 5.</source>
<translation>Entrez un nombre entier, par exemple 5.</translation>
</message>
<message>
<source>Enter a whole number.</source>
<translation>Entrez un nombre entier.</translation>
</message>
<message>
<source>Enter a whole number: no fraction.</source>
<translation>Entrez un nombre entier, sans décimales.</translation>
</message>
<message>
<source>Enter an address.</source>
<translation>Entrez une adresse.</translation>
</message>
<message>
<source>Enter an id.</source>
<translation>Entrez un identifiant.</translation>
</message>
<message>
<source>Enter another key.</source>
<translation>Entrez une autre clé.</translation>
</message>
<message>
<source>Enter another key: this one is wrong, or was revoked. Until then nothing is sent.</source>
<translation>Entrez une autre clé : celle-ci est fausse, ou a été révoquée. D’ici là, rien n’est envoyé.</translation>
</message>
<message>
<source>Enter at least 1, or leave it empty.</source>
<translation>Entrez au moins 1, ou laissez vide.</translation>
</message>
<message>
<source>Enter at least 1.</source>
<translation>Entrez au moins 1.</translation>
</message>
<message>
<source>Enter at least the minimum.</source>
<translation>Entrez au moins le minimum.</translation>
</message>
<message>
<source>Enter chooses, Esc leaves</source>
<translation>Entrée choisit, Échap quitte</translation>
</message>
<message>
<source>Enter it in the window (File &gt; Change key), or give it by this name with `petstore-desktop connect --further-key`.</source>
<translation>Entrez-la dans la fenêtre (Fichier &gt; Changer la clé), ou indiquez-la sous ce nom avec `petstore-desktop connect --further-key`.</translation>
</message>
<message>
<source>Enter it in the window (File &gt; Change key), or give it with `petstore-desktop connect --key-stdin`.</source>
<translation>Entrez-la dans la fenêtre (Fichier &gt; Changer la clé), ou indiquez-la avec `petstore-desktop connect --key-stdin`.</translation>
</message>
<message>
<source>Enter shows the rows of this batch, or hides them.</source>
<translation>Entrée affiche ou masque les lignes de ce lot.</translation>
</message>
<message>
<source>Enter the key.</source>
<translation>Entrez la clé.</translation>
</message>
<message>
<source>Enter the name of a file.</source>
<translation>Entrez un nom de fichier.</translation>
</message>
<message>
<source>Enter the value, or give the address with it, such as {example}.</source>
<translation>Entrez la valeur, ou indiquez l’adresse complète, par exemple {example}.</translation>
</message>
<message>
<source>Enter them.</source>
<translation>Entrez-les.</translation>
</message>
<message>
<source>Entries that the service keeps for its pets are shown here.</source>
<translation>Les fiches que le service tient pour ses animaux s’affichent ici.</translation>
</message>
<message>
<source>Every change is listed here once it is saved: when, which record, and how it ended.</source>
<translation>Chaque modification figure ici dès qu’elle est enregistrée : quand, quelle fiche, et ce qu’elle est devenue.</translation>
</message>
<message>
<source>Every change is sent and confirmed.</source>
<translation>Toutes les modifications sont envoyées et confirmées.</translation>
</message>
<message>
<source>Every name fits</source>
<translation>Tous les noms tiennent</translation>
</message>
<message>
<source>Every order has a pet, a quantity and a date</source>
<translation>Chaque commande a un animal, une quantité et une date</translation>
</message>
<message>
<source>Every order is of a pet that exists</source>
<translation>Chaque commande porte sur un animal qui existe</translation>
</message>
<message>
<source>Every pet has a category</source>
<translation>Chaque animal a une catégorie</translation>
</message>
<message>
<source>Every pet needs a category, but there is none, and this service cannot add one.</source>
<translation>Chaque animal a besoin d’une catégorie, mais il n’y en a aucune, et ce service ne permet pas d’en ajouter.</translation>
</message>
<message>
<source>Every request to the service is listed here: when it was sent, for whom, and the answer.</source>
<translation>Chaque requête au service figure ici : quand elle a été envoyée, pour qui, et la réponse.</translation>
</message>
<message>
<source>Everything else goes on.</source>
<translation>Tout le reste continue.</translation>
</message>
<message>
<source>Everything else works.</source>
<translation>Tout le reste fonctionne.</translation>
</message>
<message>
<source>Everything here is sent</source>
<translation>Tout ici est envoyé au service</translation>
</message>
<message>
<source>Everything saved on this computer is safe.</source>
<translation>Tout ce qui est enregistré sur cet ordinateur est en sécurité.</translation>
</message>
<message>
<source>Everything works</source>
<translation>Tout fonctionne</translation>
</message>
<message>
<source>Example</source>
<translation>Exemple</translation>
</message>
<message>
<source>Excel workbook (.xlsx)</source>
<translation>Classeur Excel (.xlsx)</translation>
</message>
<message>
<source>Expected</source>
<translation>Attendu</translation>
</message>
<message>
<source>Export</source>
<translation>Exporter</translation>
</message>
<message>
<source>Export bar codes</source>
<translation>Exporter les codes-barres</translation>
</message>
<message>
<source>Export changes</source>
<translation>Exporter les modifications</translation>
</message>
<message>
<source>Export views</source>
<translation>Exporter les vues</translation>
</message>
<message>
<source>Export {view}</source>
<translation>Exporter {view}</translation>
</message>
<message>
<source>Export…</source>
<translation>Exporter…</translation>
</message>
<message>
<source>Fields</source>
<translation>Champs</translation>
</message>
<message>
<source>File</source>
<translation>Fichier</translation>
</message>
<message>
<source>Fill</source>
<translation>Recopie</translation>
</message>
<message>
<source>Fill dow&amp;n</source>
<translation>Recopier vers le &amp;bas</translation>
</message>
<message>
<source>Fill in the empty fields above.</source>
<translation>Remplissez les champs vides ci-dessus.</translation>
</message>
<message>
<source>Fill the bloc&amp;k</source>
<translation>Recopier da&amp;ns le bloc</translation>
</message>
<message>
<source>Filter</source>
<translation>Filtre</translation>
</message>
<message>
<source>Filter &amp;by this</source>
<translation>Filtrer &amp;par cette valeur</translation>
</message>
<message>
<source>Filter over all columns</source>
<translation>Filtre sur toutes les colonnes</translation>
</message>
<message>
<source>Filter this colu&amp;mn</source>
<translation>Filtrer c&amp;ette colonne</translation>
</message>
<message>
<source>Filter {column}</source>
<translation>Filtrer {column}</translation>
</message>
<message>
<source>Filter: name or id</source>
<translation>Filtrer : nom ou identifiant</translation>
</message>
<message>
<source>Filter: name, id, field, here or elsewhere</source>
<translation>Filtrer : nom, identifiant, champ, ici ou ailleurs</translation>
</message>
<message>
<source>Finish: nothing to send</source>
<translation>Terminer : rien à envoyer</translation>
</message>
<message>
<source>First cells</source>
<translation>Premières cellules</translation>
</message>
<message>
<source>First seen</source>
<translation>Vu le</translation>
</message>
<message>
<source>First start of a day</source>
<translation>Premier démarrage du jour</translation>
</message>
<message>
<source>Fit co&amp;lumns</source>
<translation>A&amp;juster les colonnes</translation>
</message>
<message>
<source>For</source>
<translation>Pour</translation>
</message>
<message>
<source>For a spreadsheet (*.csv)</source>
<translation>Pour un tableur (*.csv)</translation>
</message>
<message>
<source>For another address, connect another shop.</source>
<translation>Pour une autre adresse, connectez un autre magasin.</translation>
</message>
<message>
<source>For another value, connect another shop.</source>
<translation>Pour une autre valeur, connectez un autre magasin.</translation>
</message>
<message>
<source>For programs (*.json)</source>
<translation>Pour des programmes (*.json)</translation>
</message>
<message>
<source>For programs (.json)</source>
<translation>Pour des programmes (.json)</translation>
</message>
<message>
<source>For some operations the service wants another key: {key}.</source>
<translation>Pour certaines opérations, le service demande une autre clé : {key}.</translation>
</message>
<message>
<source>Forget</source>
<translation>Oublier</translation>
</message>
<message>
<source>Forget this shop…</source>
<translation>Oublier ce magasin…</translation>
</message>
<message>
<source>Forget {shop}?</source>
<translation>Oublier {shop} ?</translation>
</message>
<message>
<source>Forward</source>
<translation>Suivant</translation>
</message>
<message>
<source>Found</source>
<translation>Trouvés</translation>
</message>
<message>
<source>Free some disk space, then restart the program.</source>
<translation>Libérez de l’espace sur le disque, puis redémarrez le programme.</translation>
</message>
<message>
<source>Free some disk space, then try again.</source>
<translation>Libérez de l’espace sur le disque, puis réessayez.</translation>
</message>
<message>
<source>Free&amp;ze columns up to here</source>
<translation>Fi&amp;ger les colonnes jusqu’ici</translation>
</message>
<message>
<source>From</source>
<translation>Du</translation>
</message>
<message>
<source>From one day to another</source>
<translation>D’un jour à un autre</translation>
</message>
<message>
<source>From this network there is no way to {host}.</source>
<translation>Ce réseau ne permet pas d’atteindre {host}.</translation>
</message>
<message>
<source>From what this computer has read; what moved and moved back between two readings is not in it.</source>
<translation>D’après ce que cet ordinateur a lu ; ce qui a changé puis est revenu entre deux lectures n’y figure pas.</translation>
</message>
<message>
<source>From your rehearsal; nothing of it has reached the shop yet.</source>
<translation>Issues de votre simulation ; rien n’en est encore parvenu au magasin.</translation>
</message>
<message>
<source>From {time}</source>
<translation>Depuis le {time}</translation>
</message>
<message>
<source>Full again at {time}.</source>
<translation>De nouveau au complet à partir de {time}.</translation>
</message>
<message>
<source>GB 18030, Chinese</source>
<translation>GB 18030, chinois</translation>
</message>
<message>
<source>Gap between columns</source>
<translation>Espace entre les colonnes</translation>
</message>
<message>
<source>Gap between rows</source>
<translation>Espace entre les lignes</translation>
</message>
<message>
<source>General</source>
<translation>Général</translation>
</message>
<message>
<source>Give the base address of its API, such as https://shop.example/v1.</source>
<translation>Entrez l’adresse de base de son API, par exemple https://shop.example/v1.</translation>
</message>
<message>
<source>Go to its c&amp;ategory</source>
<translation>Aller à sa caté&amp;gorie</translation>
</message>
<message>
<source>Go to its s&amp;tock</source>
<translation>Aller à son stoc&amp;k</translation>
</message>
<message>
<source>Go to the record</source>
<translation>Aller à la fiche</translation>
</message>
<message>
<source>Gone</source>
<comment>a record that is no longer there</comment>
<translation>Disparu</translation>
</message>
<message>
<source>Gone</source>
<comment>records that are no longer there</comment>
<translation>Fiches disparues</translation>
</message>
<message>
<source>Green</source>
<translation>Vert</translation>
</message>
<message>
<source>H&amp;ide this column</source>
<translation>&amp;Masquer cette colonne</translation>
</message>
<message>
<source>HTTP status</source>
<translation>Statut HTTP</translation>
</message>
<message>
<source>Has no stock entry</source>
<translation>N’a pas de fiche de stock</translation>
</message>
<message>
<source>Header row</source>
<translation>Ligne d’en-tête</translation>
</message>
<message>
<source>High contrast</source>
<translation>Contraste élevé</translation>
</message>
<message>
<source>History</source>
<translation>Historique</translation>
</message>
<message>
<source>Holds the id. A scan of it finds the pet, also offline.</source>
<translation>Contient l’identifiant. Un scan retrouve l’animal, même hors ligne.</translation>
</message>
<message>
<source>How long they last is not known yet</source>
<translation>On ne sait pas encore combien de temps elles suffiront</translation>
</message>
<message>
<source>How many operations can be used with this choice is not known before the service is asked again.</source>
<translation>On ne saura combien d’opérations sont utilisables avec ce choix qu’en interrogeant de nouveau le service.</translation>
</message>
<message>
<source>I&amp;mport…</source>
<translation>&amp;Importer…</translation>
</message>
<message>
<source>Id</source>
<translation>Id</translation>
</message>
<message>
<source>Id of the pet</source>
<translation>Identifiant de l’animal</translation>
</message>
<message>
<source>If it happens again, ask the service’s provider, and look for other programs that use this key.</source>
<translation>Si cela se reproduit, demandez au fournisseur du service, et cherchez d’autres programmes qui utilisent cette clé.</translation>
</message>
<message>
<source>If it has them elsewhere: choose them in File &gt; Operations, or give its document with --document.</source>
<translation>S’il les a ailleurs : choisissez-les dans Fichier &gt; Opérations, ou indiquez son document avec --document.</translation>
</message>
<message>
<source>If it is a pet shop, choose its operations in File &gt; Operations.</source>
<translation>S’il s’agit d’une animalerie, choisissez ses opérations dans Fichier &gt; Opérations.</translation>
</message>
<message>
<source>If it is right, you don’t need to do anything.</source>
<translation>Si elle est juste, vous n’avez rien à faire.</translation>
</message>
<message>
<source>If it is wrong, set it: late orders and all times shown depend on it.</source>
<translation>Si elle est fausse, réglez-la : les commandes en retard et toutes les heures affichées en dépendent.</translation>
</message>
<message>
<source>If that address is right, enter it.</source>
<translation>Si cette adresse est la bonne, entrez-la.</translation>
</message>
<message>
<source>If that address is right, use it instead.</source>
<translation>Si cette adresse est la bonne, utilisez-la à la place.</translation>
</message>
<message>
<source>If that is right, choose it in File &gt; Operations.</source>
<translation>Si c’est bien cela, choisissez-le dans Fichier &gt; Opérations.</translation>
</message>
<message>
<source>If the service has moved, change the connection’s address; a sign-in page means that it is the wrong one.</source>
<translation>Si le service a changé d’adresse, modifiez celle de la connexion ; une page d’identification signifie que ce n’est pas la bonne.</translation>
</message>
<message>
<source>If the service publishes no OpenAPI document.</source>
<translation>Si le service ne publie aucun document OpenAPI.</translation>
</message>
<message>
<source>If this happens often, the shop needs a larger plan.</source>
<translation>Si cela arrive souvent, le magasin a besoin d’un forfait supérieur.</translation>
</message>
<message>
<source>If this is the right server, set its authority’s certificate as the connection’s CA file.</source>
<translation>S’il s’agit du bon serveur, indiquez le certificat de son autorité comme fichier CA de la connexion.</translation>
</message>
<message>
<source>If you know your plan, choose it in File, Connection settings.</source>
<translation>Si vous connaissez votre forfait, choisissez-le dans Fichier &gt; Paramètres de la connexion.</translation>
</message>
<message>
<source>If you send now, the key may be banned. Then nothing works with it for hours.</source>
<translation>Si vous envoyez maintenant, la clé risque d’être bloquée. Plus rien ne fonctionne alors avec elle pendant des heures.</translation>
</message>
<message>
<source>If you trust that address, choose it as the connection’s document.</source>
<translation>Si vous faites confiance à cette adresse, choisissez-la comme document de la connexion.</translation>
</message>
<message>
<source>If your scanner types something before or after each code, enter it here. Leave Enter and Tab out.</source>
<translation>Si votre lecteur tape quelque chose avant ou après chaque code, indiquez-le ici. N’indiquez ni Entrée ni Tab.</translation>
</message>
<message>
<source>Import</source>
<translation>Importer</translation>
</message>
<message>
<source>Import as</source>
<translation>Importer comme</translation>
</message>
<message>
<source>Import bar codes</source>
<translation>Importer des codes-barres</translation>
</message>
<message>
<source>Import column {name} as</source>
<translation>Importer la colonne {name} comme</translation>
</message>
<message>
<source>Import of {file}</source>
<translation>Importation du fichier {file}</translation>
</message>
<message>
<source>Import of {file} by a script</source>
<translation>Importation du fichier {file} par un script</translation>
</message>
<message>
<source>Import views</source>
<translation>Importer des vues</translation>
</message>
<message>
<source>Import {file}</source>
<translation>Importer {file}</translation>
</message>
<message>
<source>Imported before</source>
<translation>Déjà importée</translation>
</message>
<message>
<source>Import…</source>
<translation>Importer…</translation>
</message>
<message>
<source>In conflict</source>
<translation>En conflit</translation>
</message>
<message>
<source>In millimetres, as the box of the labels says. A roll has one label across and one down.</source>
<translation>En millimètres, comme indiqué sur la boîte des étiquettes. Un rouleau a une étiquette en largeur et une en hauteur.</translation>
</message>
<message numerus="yes">
<source>In row {n}</source>
<translation>
<numerusform>Ligne {n}</numerusform>
<numerusform>Ligne {n}</numerusform>
</translation>
</message>
<message>
<source>In stock</source>
<translation>En stock</translation>
</message>
<message numerus="yes">
<source>In stock {stock}, but {n} are on order.</source>
<translation>
<numerusform>En stock : {stock}, mais {n} en commande.</numerusform>
<numerusform>En stock : {stock}, mais {n} en commande.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>In stock {stock}, {n} on order.</source>
<translation>
<numerusform>En stock : {stock}, {n} en commande.</numerusform>
<numerusform>En stock : {stock}, {n} en commande.</numerusform>
</translation>
</message>
<message>
<source>In stock {stock}.</source>
<translation>En stock : {stock}.</translation>
</message>
<message>
<source>In stock, each</source>
<translation>En stock, chacun</translation>
</message>
<message>
<source>In the order of the screen. Ids keep all their digits, and no text becomes a formula.</source>
<translation>Dans l’ordre de l’écran. Les identifiants gardent tous leurs chiffres, et aucun texte ne devient une formule.</translation>
</message>
<message>
<source>In the rehearsal: {what}.</source>
<translation>Dans la simulation : {what}.</translation>
</message>
<message>
<source>Include it</source>
<translation>L’inclure</translation>
</message>
<message>
<source>Incomplete</source>
<translation>Incomplète</translation>
</message>
<message>
<source>Incomplete orders</source>
<translation>Commandes incomplètes</translation>
</message>
<message>
<source>Install the later version again.</source>
<translation>Réinstallez la version plus récente.</translation>
</message>
<message>
<source>Invented pets and orders, with real request limits. Runs on this computer; no account needed.</source>
<translation>Animaux et commandes inventés, avec de vraies limites de requêtes. Fonctionne sur cet ordinateur, sans compte.</translation>
</message>
<message>
<source>Inventory</source>
<translation>Stock</translation>
</message>
<message>
<source>It answered {said}.</source>
<translation>Il a répondu : {said}.</translation>
</message>
<message>
<source>It cannot work just now, and answered {said}.</source>
<translation>Il ne peut pas fonctionner en ce moment, et a répondu : {said}.</translation>
</message>
<message>
<source>It continues where it stopped.</source>
<translation>Elle reprendra là où elle s’est arrêtée.</translation>
</message>
<message>
<source>It could also be {endpoint}.</source>
<translation>Ce pourrait aussi être {endpoint}.</translation>
</message>
<message>
<source>It counts {counts}.</source>
<translation>Décompte : {counts}.</translation>
</message>
<message>
<source>It did not say clearly how long, so the program waits longer each time.</source>
<translation>Il n’a pas indiqué clairement combien de temps ; le programme attend donc plus longtemps à chaque fois.</translation>
</message>
<message>
<source>It does not say its limits; the program counts by the plan that you gave.</source>
<translation>Il n’indique pas ses limites ; le programme compte d’après le forfait que vous avez indiqué.</translation>
</message>
<message>
<source>It does so when a program keeps sending after it was asked to wait.</source>
<translation>Il le fait quand un programme continue d’envoyer alors qu’il lui a été demandé d’attendre.</translation>
</message>
<message>
<source>It gets a data folder of its own; this shop stays.</source>
<translation>Il aura son propre dossier de données ; le magasin actuel reste.</translation>
</message>
<message>
<source>It goes into this computer’s keyring if it has one, never into a file.</source>
<translation>Elle va dans le trousseau de clés de cet ordinateur s’il en a un, jamais dans un fichier.</translation>
</message>
<message>
<source>It has no id, so it is new. {reason}</source>
<translation>Sans identifiant, c’est une nouvelle fiche. {reason}</translation>
</message>
<message>
<source>It has no list to read, so none was tried.</source>
<translation>Il n’a aucune liste à lire ; aucune n’a donc été essayée.</translation>
</message>
<message>
<source>It is back: what you did goes out by itself.</source>
<translation>Il est de retour : ce que vous avez fait part tout seul.</translation>
</message>
<message>
<source>It is checked when sending resumes</source>
<translation>Vérification à la reprise de l’envoi</translation>
</message>
<message>
<source>It is full again at {time}.</source>
<translation>De nouveau au complet à partir de {time}.</translation>
</message>
<message>
<source>It is kept in the history and in the protocol.</source>
<translation>Elle est conservée dans l’historique et dans le procès-verbal.</translation>
</message>
<message>
<source>It is not certain which record a change of {things} would reach by this id: {name}. So they are only read.</source>
<translation>On ne sait pas avec certitude quelle fiche une modification de {things} toucherait par cet identifiant : {name}. Elles sont donc seulement lues.</translation>
</message>
<message>
<source>It is not certain which record {shop} would change by this id. A profile says what its ids mean (File &gt; Operations &gt; Save as profile).</source>
<translation>On ne sait pas avec certitude quelle fiche {shop} modifierait par cet identifiant. Un profil dit ce que signifient les identifiants (Fichier &gt; Opérations &gt; Enregistrer comme profil).</translation>
</message>
<message numerus="yes">
<source>It is not known whether {changes} arrived: check at the service before you make them again.</source>
<translation>
<numerusform>On ne sait pas si {changes} est arrivée : vérifiez auprès du service avant de la refaire.</numerusform>
<numerusform>On ne sait pas si {changes} sont arrivées : vérifiez auprès du service avant de les refaire.</numerusform>
</translation>
</message>
<message>
<source>It is read from the service now, and stays in the list here.</source>
<translation>La fiche est lue maintenant auprès du service, et reste dans la liste ici.</translation>
</message>
<message>
<source>It is sent in the address, as {name}.</source>
<translation>Elle est envoyée dans l’adresse, sous le nom {name}.</translation>
</message>
<message>
<source>It is sent in the header {name}.</source>
<translation>Elle est envoyée dans l’en-tête {name}.</translation>
</message>
<message>
<source>It is unchanged, with everything saved. Until it is upgraded nothing can be changed or sent.</source>
<translation>Ce fichier est inchangé, avec tout ce qui y est enregistré. Tant qu’il n’est pas mis à niveau, rien ne peut être modifié ni envoyé.</translation>
</message>
<message>
<source>It is {status} already.</source>
<translation>Il est déjà {status}.</translation>
</message>
<message>
<source>It may be a colleague’s. Keep mine deletes it.</source>
<translation>C’est peut-être la fiche d’un collègue. « Garder la mienne » la supprime.</translation>
</message>
<message>
<source>It may be done or not; nothing is sent twice by itself.</source>
<translation>C’est peut-être fait, ou non ; rien n’est envoyé deux fois tout seul.</translation>
</message>
<message>
<source>It may be overloaded. Try again later, or ask its provider.</source>
<translation>Il est peut-être surchargé. Réessayez plus tard, ou demandez à son fournisseur.</translation>
</message>
<message>
<source>It may have arrived; the service does not show whether it did. The program does not send it again by itself.</source>
<translation>Elle est peut-être arrivée ; le service ne le montre pas. Le programme ne la renvoie pas de lui-même.</translation>
</message>
<message>
<source>It offers all {of} operations.</source>
<translation>Il propose les {of} opérations.</translation>
</message>
<message>
<source>It offers {offered} of the {of} operations that the program uses.</source>
<translation>Il propose {offered} des {of} opérations que le programme utilise.</translation>
</message>
<message>
<source>It refused again, so the program waits longer than it asked.</source>
<translation>Il a refusé de nouveau ; le programme attend donc plus longtemps que demandé.</translation>
</message>
<message>
<source>It says how many requests are left: {remaining} of {limit}.</source>
<translation>Il indique le nombre de requêtes restantes : {remaining} sur {limit}.</translation>
</message>
<message>
<source>It says how many requests are left: {remaining}, but not of how many.</source>
<translation>Il indique le nombre de requêtes restantes : {remaining}, mais pas le total.</translation>
</message>
<message>
<source>It takes {price}.</source>
<translation>Coût : {price}.</translation>
</message>
<message numerus="yes">
<source>It took {n} requests, all of them reads.</source>
<translation>
<numerusform>Cela a demandé {n} requête, en lecture.</numerusform>
<numerusform>Cela a demandé {n} requêtes, toutes en lecture.</numerusform>
</translation>
</message>
<message>
<source>It was asked when the pets were read, {age}.</source>
<translation>Il a été interrogé lors de la lecture des animaux ({age}).</translation>
</message>
<message>
<source>It was done</source>
<translation>C’est fait</translation>
</message>
<message>
<source>Its data on this computer is removed. No key was removed, because no keyring was found.</source>
<translation>Ses données sur cet ordinateur sont supprimées. Aucune clé n’a été supprimée, faute de trousseau.</translation>
</message>
<message>
<source>Its document cannot be loaded. It answers at the standard paths, so the nine standard operations are used.</source>
<translation>Son document ne peut pas être chargé. Il répond aux chemins standard : les neuf opérations standard sont utilisées.</translation>
</message>
<message>
<source>Its document has no operation that lists {things}.</source>
<translation>Son document n’a pas d’opération qui liste {things}.</translation>
</message>
<message>
<source>Its key and its data on this computer are removed.</source>
<translation>Sa clé et ses données sur cet ordinateur sont supprimées.</translation>
</message>
<message>
<source>Jobs</source>
<translation>Tâches</translation>
</message>
<message>
<source>Keep</source>
<translation>Conserver</translation>
</message>
<message>
<source>Keep editing</source>
<translation>Continuer la saisie</translation>
</message>
<message>
<source>Keep mine</source>
<translation>Garder la mienne</translation>
</message>
<message>
<source>Keep the program’s data in a folder on this computer.</source>
<translation>Gardez les données du programme dans un dossier de cet ordinateur.</translation>
</message>
<message>
<source>Keep these changes…</source>
<translation>Conserver ces modifications…</translation>
</message>
<message>
<source>Keep waiting</source>
<translation>Attendre encore</translation>
</message>
<message>
<source>Keep working. If this happens often, the shop needs a larger plan.</source>
<translation>Continuez à travailler. Si cela arrive souvent, le magasin a besoin d’un forfait supérieur.</translation>
</message>
<message>
<source>Keep working: it goes on by itself.</source>
<translation>Continuez à travailler : l’envoi reprendra tout seul.</translation>
</message>
<message>
<source>Keep working: the program keeps trying, then sends your changes.</source>
<translation>Continuez à travailler : le programme continue d’essayer, puis enverra vos modifications.</translation>
</message>
<message>
<source>Keep working; it goes on by itself.</source>
<translation>Continuez à travailler ; l’envoi reprendra tout seul.</translation>
</message>
<message>
<source>Kept in this computer’s keyring if it has one, never in a file.</source>
<translation>Conservée dans le trousseau de clés de cet ordinateur s’il en a un, jamais dans un fichier.</translation>
</message>
<message>
<source>Key</source>
<translation>Clé</translation>
</message>
<message>
<source>Key for {shop}</source>
<translation>Clé pour {shop}</translation>
</message>
<message>
<source>Key {name}</source>
<translation>Clé {name}</translation>
</message>
<message>
<source>Key {name} (header {parameter})</source>
<translation>Clé {name} (en-tête {parameter})</translation>
</message>
<message>
<source>Key {name} (in the address, as {parameter})</source>
<translation>Clé {name} (dans l’adresse, sous le nom {parameter})</translation>
</message>
<message>
<source>Keys and marks</source>
<translation>Raccourcis et repères</translation>
</message>
<message>
<source>Label of {name}</source>
<translation>Étiquette : {name}</translation>
</message>
<message>
<source>Label {page} of {pages}</source>
<translation>Étiquette {page} sur {pages}</translation>
</message>
<message>
<source>Label {place}</source>
<translation>Étiquette {place}</translation>
</message>
<message>
<source>Label, height</source>
<translation>Étiquette, hauteur</translation>
</message>
<message>
<source>Label, width</source>
<translation>Étiquette, largeur</translation>
</message>
<message>
<source>Labels</source>
<translation>Étiquettes</translation>
</message>
<message>
<source>Labels across</source>
<translation>Étiquettes en largeur</translation>
</message>
<message>
<source>Labels down</source>
<translation>Étiquettes en hauteur</translation>
</message>
<message>
<source>Labels of each pet</source>
<translation>Étiquettes par animal</translation>
</message>
<message>
<source>Language</source>
<translation>Langue</translation>
</message>
<message>
<source>Language and preferences</source>
<translation>Langue et préférences</translation>
</message>
<message>
<source>Last month</source>
<translation>Mois dernier</translation>
</message>
<message>
<source>Last scan</source>
<translation>Dernier scan</translation>
</message>
<message>
<source>Last scanned</source>
<translation>Dernier scan</translation>
</message>
<message>
<source>Last week</source>
<translation>Semaine dernière</translation>
</message>
<message numerus="yes">
<source>Last {n} days</source>
<translation>
<numerusform>Dernier jour</numerusform>
<numerusform>{n} derniers jours</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Last {n} hours</source>
<translation>
<numerusform>Dernière heure</numerusform>
<numerusform>{n} dernières heures</numerusform>
</translation>
</message>
<message>
<source>Lasts until they are full again: at this pace ≈ {count} by {time}</source>
<translation>Suffisent jusqu’à leur renouvellement : à ce rythme ≈ {count} ({time})</translation>
</message>
<message>
<source>Lasts until {time} at this pace.</source>
<translation>À ce rythme, cela suffit jusqu’à {time}.</translation>
</message>
<message>
<source>Late</source>
<translation>Retard</translation>
</message>
<message>
<source>Later</source>
<translation>Plus tard</translation>
</message>
<message>
<source>Later</source>
<comment>orders due after this week</comment>
<translation>Plus tard</translation>
</message>
<message>
<source>Latin-1, Western</source>
<translation>Latin-1, Europe de l’Ouest</translation>
</message>
<message>
<source>Latin-9, Western</source>
<translation>Latin-9, Europe de l’Ouest</translation>
</message>
<message>
<source>Laying out the report…</source>
<translation>Mise en page du rapport…</translation>
</message>
<message numerus="yes">
<source>Leave out their stock</source>
<translation>
<numerusform>Écarter son stock</numerusform>
<numerusform>Écarter leur stock</numerusform>
</translation>
</message>
<message>
<source>Left out</source>
<translation>Écarté</translation>
</message>
<message>
<source>Left out with the record it belongs to</source>
<translation>Écarté avec la fiche dont il dépend</translation>
</message>
<message>
<source>Less</source>
<translation>Moins</translation>
</message>
<message>
<source>Licences</source>
<translation>Licences</translation>
</message>
<message>
<source>Light</source>
<translation>Clair</translation>
</message>
<message>
<source>Limit not known</source>
<translation>Limite inconnue</translation>
</message>
<message>
<source>Limits</source>
<translation>Limites</translation>
</message>
<message numerus="yes">
<source>Limits {n} a day</source>
<translation>
<numerusform>Limite : {n} par jour</numerusform>
<numerusform>Limite : {n} par jour</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Limits {n} a minute</source>
<translation>
<numerusform>Limite : {n} par minute</numerusform>
<numerusform>Limite : {n} par minute</numerusform>
</translation>
</message>
<message>
<source>Lines</source>
<translation>Lignes</translation>
</message>
<message>
<source>List</source>
<translation>Liste</translation>
</message>
<message>
<source>List categories</source>
<translation>Lister les catégories</translation>
</message>
<message>
<source>List orders</source>
<translation>Lister les commandes</translation>
</message>
<message>
<source>List pets</source>
<translation>Lister les animaux</translation>
</message>
<message>
<source>List stock</source>
<translation>Lister le stock</translation>
</message>
<message>
<source>Loading…</source>
<translation>Chargement…</translation>
</message>
<message>
<source>Loo&amp;k up by id…</source>
<translation>Re&amp;chercher par identifiant…</translation>
</message>
<message>
<source>Look at it</source>
<translation>L’examiner</translation>
</message>
<message>
<source>Look at them</source>
<translation>Les examiner</translation>
</message>
<message>
<source>Look up</source>
<translation>Rechercher</translation>
</message>
<message>
<source>Look up a category</source>
<translation>Rechercher une catégorie</translation>
</message>
<message>
<source>Look up a pet</source>
<translation>Rechercher un animal</translation>
</message>
<message>
<source>Look up an order</source>
<translation>Rechercher une commande</translation>
</message>
<message>
<source>Look up category #{id} at the shop</source>
<translation>Rechercher la catégorie #{id} au magasin</translation>
</message>
<message>
<source>Look up one category</source>
<translation>Rechercher une catégorie</translation>
</message>
<message>
<source>Look up one order</source>
<translation>Rechercher une commande</translation>
</message>
<message>
<source>Look up one pet</source>
<translation>Rechercher un animal</translation>
</message>
<message>
<source>Look up order #{id} at the shop</source>
<translation>Rechercher la commande #{id} au magasin</translation>
</message>
<message>
<source>Look up pet #{id} at the shop</source>
<translation>Rechercher l’animal #{id} au magasin</translation>
</message>
<message>
<source>Look up single records by id; they stay here.</source>
<translation>Recherchez les fiches une à une par identifiant ; elles restent ici.</translation>
</message>
<message>
<source>Look up the stock of a pet</source>
<translation>Rechercher le stock d’un animal</translation>
</message>
<message>
<source>Look up the stock of one pet</source>
<translation>Rechercher le stock d’un animal</translation>
</message>
<message>
<source>Look up the stock of pet #{id} at the shop</source>
<translation>Rechercher le stock de l’animal #{id} au magasin</translation>
</message>
<message>
<source>Looking for unsent changes…</source>
<translation>Recherche des modifications non envoyées…</translation>
</message>
<message>
<source>Low</source>
<translation>Bas</translation>
</message>
<message>
<source>Low stock</source>
<translation>Stock bas</translation>
</message>
<message>
<source>Low stock by category</source>
<translation>Stock bas par catégorie</translation>
</message>
<message>
<source>Low stock now</source>
<translation>Stock bas actuellement</translation>
</message>
<message numerus="yes">
<source>Low stock now: {n} pets</source>
<translation>
<numerusform>Stock bas actuellement : {n} animal</numerusform>
<numerusform>Stock bas actuellement : {n} animaux</numerusform>
</translation>
</message>
<message>
<source>M&amp;ark open</source>
<translation>Marq&amp;uer ouverte</translation>
</message>
<message>
<source>Mac, Western</source>
<translation>Mac, Europe de l’Ouest</translation>
</message>
<message>
<source>Manual</source>
<translation>Manuel</translation>
</message>
<message>
<source>Manual of Pet Store Desktop</source>
<translation>Manuel de Pet Store Desktop</translation>
</message>
<message>
<source>Margin at the left</source>
<translation>Marge à gauche</translation>
</message>
<message>
<source>Margin at the top</source>
<translation>Marge en haut</translation>
</message>
<message>
<source>Marks</source>
<translation>Repères</translation>
</message>
<message>
<source>Menu</source>
<translation>Menu</translation>
</message>
<message>
<source>Menu (F10)</source>
<translation>Menu (F10)</translation>
</message>
<message>
<source>Method</source>
<translation>Méthode</translation>
</message>
<message>
<source>Mine</source>
<translation>Ma valeur</translation>
</message>
<message>
<source>Mine: {mine}. At the shop: {theirs}.</source>
<translation>Ma valeur : {mine}. Au magasin : {theirs}.</translation>
</message>
<message>
<source>Minimum</source>
<translation>Minimum</translation>
</message>
<message>
<source>Minimum stock of {what}</source>
<translation>Stock minimum : {what}</translation>
</message>
<message>
<source>Minimum stock of {what}: {n}</source>
<translation>Stock minimum, {what} : {n}</translation>
</message>
<message>
<source>Minimum stock of {what}: {n}, order up to {most}</source>
<translation>Stock minimum, {what} : {n}, commander jusqu’à {most}</translation>
</message>
<message>
<source>Minimum stock removed: {what}</source>
<translation>Stock minimum supprimé : {what}</translation>
</message>
<message>
<source>Minimum stock set: {what}</source>
<translation>Stock minimum défini : {what}</translation>
</message>
<message>
<source>Minute</source>
<translation>Minute</translation>
</message>
<message>
<source>Missing: {missing}.</source>
<translation>Il manque : {missing}.</translation>
</message>
<message>
<source>Month/Day/Year</source>
<translation>Mois/Jour/Année</translation>
</message>
<message>
<source>Monthly report: l&amp;ast month…</source>
<translation>Rapport mensuel : mois &amp;dernier…</translation>
</message>
<message>
<source>Monthly report: t&amp;his month…</source>
<translation>Rapport mensuel : ce &amp;mois…</translation>
</message>
<message>
<source>More</source>
<translation>Plus</translation>
</message>
<message>
<source>More actions</source>
<translation>Autres actions</translation>
</message>
<message numerus="yes">
<source>More may belong to them, because not all of it was read: {lists}.</source>
<translation>
<numerusform>D’autres éléments peuvent en dépendre, car tout n’a pas été lu : {lists}.</numerusform>
<numerusform>D’autres éléments peuvent en dépendre, car tout n’a pas été lu : {lists}.</numerusform>
</translation>
</message>
<message>
<source>More of this pet</source>
<translation>Plus sur cet animal</translation>
</message>
<message>
<source>More ordered than in stock</source>
<translation>Commandé au-delà du stock</translation>
</message>
<message>
<source>More, in English</source>
<translation>Autres pages, en anglais</translation>
</message>
<message>
<source>More: plan, document, certificates</source>
<translation>Plus : forfait, document, certificats</translation>
</message>
<message numerus="yes">
<source>Most often, as in row {row}: {reason}</source>
<translation>
<numerusform>Ligne {row} : {reason}</numerusform>
<numerusform>Le plus souvent, comme à la ligne {row} : {reason}</numerusform>
</translation>
</message>
<message>
<source>Move this view &amp;up</source>
<translation>M&amp;onter cette vue</translation>
</message>
<message>
<source>Move this view d&amp;own</source>
<translation>&amp;Descendre cette vue</translation>
</message>
<message>
<source>Move {things} to {value}</source>
<translation>Déplacer {things} vers {value}</translation>
</message>
<message>
<source>Move {view} down</source>
<translation>Descendre {view}</translation>
</message>
<message>
<source>Move {view} up</source>
<translation>Monter {view}</translation>
</message>
<message>
<source>Name</source>
<translation>Nom</translation>
</message>
<message>
<source>Name in the service</source>
<translation>Nom dans le service</translation>
</message>
<message>
<source>Name in the service for “{what}”</source>
<translation>Nom dans le service pour « {what} »</translation>
</message>
<message>
<source>Name of the shop</source>
<translation>Nom du magasin</translation>
</message>
<message>
<source>Name or id</source>
<translation>Nom ou identifiant</translation>
</message>
<message>
<source>Name or id of the pet</source>
<translation>Nom ou identifiant de l’animal</translation>
</message>
<message>
<source>Names</source>
<translation>Noms</translation>
</message>
<message>
<source>Names, one per line</source>
<translation>Noms, un par ligne</translation>
</message>
<message>
<source>Ne&amp;w order…</source>
<translation>Nouvelle comm&amp;ande…</translation>
</message>
<message>
<source>Needs attenti&amp;on</source>
<translation>À trait&amp;er</translation>
</message>
<message>
<source>Needs attention</source>
<translation>À traiter</translation>
</message>
<message>
<source>New</source>
<comment>a record that is new</comment>
<translation>Nouveau</translation>
</message>
<message>
<source>New</source>
<comment>rows of a file</comment>
<translation>À ajouter</translation>
</message>
<message>
<source>New &amp;category…</source>
<translation>Nouvelle &amp;catégorie…</translation>
</message>
<message>
<source>New &amp;pet…</source>
<translation>&amp;Nouvel animal…</translation>
</message>
<message>
<source>New category</source>
<translation>Nouvelle catégorie</translation>
</message>
<message>
<source>New category {name}</source>
<translation>Nouvelle catégorie {name}</translation>
</message>
<message>
<source>New changes show here until they are sent.</source>
<translation>Les nouvelles modifications s’affichent ici jusqu’à leur envoi.</translation>
</message>
<message>
<source>New count</source>
<translation>Nouveau comptage</translation>
</message>
<message>
<source>New order</source>
<translation>Nouvelle commande</translation>
</message>
<message>
<source>New orders</source>
<translation>Nouvelles commandes</translation>
</message>
<message>
<source>New pet</source>
<translation>Nouvel animal</translation>
</message>
<message>
<source>New pet {name}</source>
<translation>Nouvel animal {name}</translation>
</message>
<message>
<source>New pets</source>
<translation>Nouveaux animaux</translation>
</message>
<message>
<source>New records get numbers for ids here.</source>
<translation>Ici, les nouvelles fiches reçoivent des nombres comme identifiants.</translation>
</message>
<message>
<source>New s&amp;tock entry…</source>
<translation>Nouvelle fiche &amp;de stock…</translation>
</message>
<message>
<source>New value</source>
<translation>Nouvelle valeur</translation>
</message>
<message>
<source>Newer versions</source>
<translation>Nouvelles versions</translation>
</message>
<message>
<source>Next</source>
<translation>Suivant</translation>
</message>
<message>
<source>Next month</source>
<translation>Mois suivant</translation>
</message>
<message>
<source>Next page</source>
<translation>Page suivante</translation>
</message>
<message>
<source>Next sheet</source>
<translation>Feuille suivante</translation>
</message>
<message>
<source>No answer</source>
<translation>Sans réponse</translation>
</message>
<message>
<source>No category</source>
<translation>Sans catégorie</translation>
</message>
<message>
<source>No category matches {filter}</source>
<translation>Aucune catégorie ne correspond à {filter}</translation>
</message>
<message>
<source>No change</source>
<translation>Sans changement</translation>
</message>
<message>
<source>No change is known between {then} and {now}.</source>
<translation>On ne connaît aucune modification entre {then} et {now}.</translation>
</message>
<message>
<source>No change is known in these days.</source>
<translation>On ne connaît aucune modification pendant ces jours.</translation>
</message>
<message>
<source>No change is known since {time}.</source>
<translation>On ne connaît aucune modification depuis {time}.</translation>
</message>
<message>
<source>No change is refused, in conflict or unconfirmed.</source>
<translation>Aucune modification n’est refusée, en conflit ou non confirmée.</translation>
</message>
<message>
<source>No change of this record is known, neither yours nor anybody else’s.</source>
<translation>On ne connaît aucune modification de cette fiche, ni de vous ni de quelqu’un d’autre.</translation>
</message>
<message>
<source>No changes yet</source>
<translation>Aucune modification pour l’instant</translation>
</message>
<message>
<source>No code is remembered yet.</source>
<translation>Aucun code n’est encore retenu.</translation>
</message>
<message>
<source>No colour</source>
<translation>Sans couleur</translation>
</message>
<message numerus="yes">
<source>No column surely says how many came: each of the {n} pasted lines counts as 1. Undo takes all of them back.</source>
<translation>
<numerusform>Aucune colonne ne dit sûrement combien sont arrivés : la ligne collée compte pour 1.</numerusform>
<numerusform>Aucune colonne ne dit sûrement combien sont arrivés : chacune des {n} lignes collées compte pour 1. « Annuler » les retire toutes.</numerusform>
</translation>
</message>
<message>
<source>No date</source>
<translation>Sans date</translation>
</message>
<message>
<source>No filter can exclude just this.</source>
<translation>Aucun filtre ne peut exclure seulement ceci.</translation>
</message>
<message>
<source>No filter is set.</source>
<translation>Aucun filtre n’est défini.</translation>
</message>
<message>
<source>No history</source>
<translation>Aucun historique</translation>
</message>
<message>
<source>No limits</source>
<translation>Sans limites</translation>
</message>
<message>
<source>No longer in stock</source>
<translation>N’est plus en stock</translation>
</message>
<message>
<source>No longer there</source>
<translation>N’existe plus</translation>
</message>
<message>
<source>No matching change</source>
<translation>Aucune modification correspondante</translation>
</message>
<message>
<source>No minimum stock is set</source>
<translation>Aucun stock minimum n’est défini</translation>
</message>
<message>
<source>No more than {most} labels at once.</source>
<translation>Pas plus de {most} étiquettes à la fois.</translation>
</message>
<message>
<source>No name stands twice in a category</source>
<translation>Aucun nom n’est en double dans une catégorie</translation>
</message>
<message numerus="yes">
<source>No network for {n} seconds</source>
<translation>
<numerusform>Pas de réseau pendant {n} seconde</numerusform>
<numerusform>Pas de réseau pendant {n} secondes</numerusform>
</translation>
</message>
<message>
<source>No open orders</source>
<translation>Aucune commande ouverte</translation>
</message>
<message>
<source>No order is overdue</source>
<translation>Aucune commande n’est en retard</translation>
</message>
<message>
<source>No order is overdue, and no pet is low.</source>
<translation>Aucune commande n’est en retard et aucun animal n’a un stock bas.</translation>
</message>
<message>
<source>No order is overdue.</source>
<translation>Aucune commande n’est en retard.</translation>
</message>
<message>
<source>No order matches {filter}</source>
<translation>Aucune commande ne correspond à {filter}</translation>
</message>
<message>
<source>No page has these words. Try fewer, or others.</source>
<translation>Aucune page ne contient ces mots. Essayez-en moins, ou d’autres.</translation>
</message>
<message>
<source>No path of the document names pets, categories, orders or stock, so nothing is used.</source>
<translation>Aucun chemin du document ne cite les animaux, les catégories, les commandes ou le stock ; rien n’est donc utilisé.</translation>
</message>
<message>
<source>No pet has the code {code}</source>
<translation>Aucun animal n’a le code {code}</translation>
</message>
<message>
<source>No pet has the id {id}. To enter that many pieces, type {typed}.</source>
<translation>Aucun animal n’a l’identifiant {id}. Pour saisir autant d’unités, tapez {typed}.</translation>
</message>
<message>
<source>No pet has this code yet</source>
<translation>Aucun animal n’a encore ce code</translation>
</message>
<message>
<source>No pet is called that</source>
<translation>Aucun animal ne porte ce nom</translation>
</message>
<message>
<source>No pet is called that.</source>
<translation>Aucun animal ne porte ce nom.</translation>
</message>
<message>
<source>No pet is called {name}, or has this id</source>
<translation>Aucun animal ne s’appelle {name}, ni n’a cet identifiant</translation>
</message>
<message>
<source>No pet matches {filter}</source>
<translation>Aucun animal ne correspond à {filter}</translation>
</message>
<message>
<source>No pet that was read is called that; not all of the pets are here.</source>
<translation>Aucun animal lu ne porte ce nom ; tous les animaux ne sont pas ici.</translation>
</message>
<message>
<source>No pet: {code}</source>
<comment>a bar code that no pet has</comment>
<translation>Aucun animal : {code}</translation>
</message>
<message>
<source>No pets chosen</source>
<translation>Aucun animal choisi</translation>
</message>
<message>
<source>No problems found.</source>
<translation>Aucun problème trouvé.</translation>
</message>
<message>
<source>No program here opens {file}.</source>
<translation>Aucun programme n’ouvre {file} ici.</translation>
</message>
<message>
<source>No record of these lists can be used: {lists} ({why}).</source>
<translation>Aucune fiche de ces listes n’est utilisable : {lists} ({why}).</translation>
</message>
<message>
<source>No requests are left: next try in {left}</source>
<translation>Il ne reste aucune requête : prochain essai dans {left}</translation>
</message>
<message>
<source>No requests yet</source>
<translation>Aucune requête pour l’instant</translation>
</message>
<message>
<source>No secure connection to {host} is possible: its certificate is not trusted.</source>
<translation>Aucune connexion sécurisée n’est possible vers {host} : son certificat n’est pas reconnu.</translation>
</message>
<message>
<source>No sold pet has stock</source>
<translation>Aucun animal vendu n’est en stock</translation>
</message>
<message>
<source>No sound</source>
<translation>Aucun son</translation>
</message>
<message>
<source>No stock</source>
<translation>Aucun stock</translation>
</message>
<message>
<source>No stock entry matches {filter}</source>
<translation>Aucune fiche de stock ne correspond à {filter}</translation>
</message>
<message>
<source>No stock is below zero</source>
<translation>Aucun stock n’est négatif</translation>
</message>
<message>
<source>No stock is low</source>
<translation>Aucun stock n’est bas</translation>
</message>
<message>
<source>No stock is low.</source>
<translation>Aucun stock n’est bas.</translation>
</message>
<message>
<source>No unknown codes</source>
<translation>Aucun code inconnu</translation>
</message>
<message>
<source>No.</source>
<translation>N°</translation>
</message>
<message>
<source>None</source>
<translation>Aucune</translation>
</message>
<message>
<source>None</source>
<comment>no code on a label</comment>
<translation>Aucun</translation>
</message>
<message>
<source>None in stock.</source>
<translation>Aucun en stock.</translation>
</message>
<message>
<source>None is shown; all are safe there.</source>
<translation>Aucune n’est affichée ; toutes y sont en sécurité.</translation>
</message>
<message>
<source>None left</source>
<translation>Épuisé</translation>
</message>
<message>
<source>None of it is on this computer yet.</source>
<translation>Rien n’en est encore sur cet ordinateur.</translation>
</message>
<message>
<source>None of these rows fits the filter any more. Refresh takes them away.</source>
<translation>Aucune de ces lignes ne correspond plus au filtre. L’actualisation les retire.</translation>
</message>
<message numerus="yes">
<source>None of {n} changes matches.</source>
<translation>
<numerusform>La seule modification ne correspond pas.</numerusform>
<numerusform>Aucune des {n} modifications ne correspond.</numerusform>
</translation>
</message>
<message>
<source>None of {things} can be shown</source>
<translation>Impossible d’afficher {things}</translation>
</message>
<message>
<source>Not all categories have been read: whether there is this one is not known.</source>
<translation>Toutes les catégories n’ont pas été lues : on ignore si celle-ci existe.</translation>
</message>
<message>
<source>Not all of the list has been read: whether there is a record #{id} is not known.</source>
<translation>La liste n’a pas été lue en entier : on ignore si la fiche #{id} existe.</translation>
</message>
<message>
<source>Not all pets have been read: whether there is this one is not known.</source>
<translation>Tous les animaux n’ont pas été lus : on ignore si celui-ci existe.</translation>
</message>
<message>
<source>Not among the pets that are counted: tick it, or leave it</source>
<translation>Ne fait pas partie des animaux comptés : à cocher, ou à laisser</translation>
</message>
<message>
<source>Not available now.</source>
<translation>Indisponible pour le moment.</translation>
</message>
<message>
<source>Not booked yet</source>
<translation>Pas encore validé</translation>
</message>
<message>
<source>Not booked yet: {typed} is still in the field. Enter takes it, Esc clears it</source>
<translation>Pas encore enregistré : {typed} est encore dans le champ. Entrée le valide, Échap l’efface</translation>
</message>
<message>
<source>Not checked, because not all of it is here: {lists}.</source>
<translation>Non vérifié, car tout n’est pas ici : {lists}.</translation>
</message>
<message>
<source>Not checked: something else is in the way.</source>
<translation>Non vérifié : un autre problème l’empêche.</translation>
</message>
<message>
<source>Not chosen</source>
<translation>Non choisi</translation>
</message>
<message>
<source>Not compared with the shop since it was counted</source>
<translation>Non comparé avec le magasin depuis le comptage</translation>
</message>
<message>
<source>Not compared with the shop yet</source>
<translation>Pas encore comparé avec le magasin</translation>
</message>
<message>
<source>Not counted, because not all of it is here: {lists}.</source>
<translation>Non compté, car tout n’est pas ici : {lists}.</translation>
</message>
<message>
<source>Not found among the fields of {things}: {fields}.</source>
<translation>Introuvables parmi les champs de « {things} » : {fields}.</translation>
</message>
<message>
<source>Not known</source>
<translation>Inconnu</translation>
</message>
<message>
<source>Not known.</source>
<translation>Inconnu.</translation>
</message>
<message>
<source>Not low</source>
<translation>Suffisant</translation>
</message>
<message>
<source>Not offered by the service: {lists}.</source>
<translation>Non proposé par le service : {lists}.</translation>
</message>
<message>
<source>Not possible without it: {what}.</source>
<translation>Impossible sans cette valeur : {what}.</translation>
</message>
<message>
<source>Not possible: {what}. {endpoint} was not taken: {why}.</source>
<translation>Impossible : {what}. {endpoint} n’a pas été retenu : {why}.</translation>
</message>
<message>
<source>Not saved yet</source>
<translation>Pas encore enregistré</translation>
</message>
<message>
<source>Not saved:</source>
<translation>Non enregistré :</translation>
</message>
<message>
<source>Not saved: the disk of this computer takes nothing. Free some space, then go on.</source>
<translation>Non enregistré : le disque de cet ordinateur n’accepte plus rien. Libérez de l’espace, puis continuez.</translation>
</message>
<message>
<source>Not saved: this computer’s disk takes nothing more</source>
<translation>Non enregistré : le disque de cet ordinateur n’accepte plus rien</translation>
</message>
<message>
<source>Not sent yet</source>
<translation>En boîte d’envoi</translation>
</message>
<message>
<source>Not sent: {said}. Your change is kept here.</source>
<translation>Non envoyée : {said}. Votre modification est conservée ici.</translation>
</message>
<message>
<source>Not sent: {said}. {record} is kept here</source>
<translation>Non envoyée : {said}. La modification est conservée ici : {record}</translation>
</message>
<message>
<source>Not tried: there is nothing to read with it.</source>
<translation>Non essayée : il n’y a rien à lire avec cette clé.</translation>
</message>
<message>
<source>Not used</source>
<translation>Non utilisée</translation>
</message>
<message>
<source>Not wholly read yet: {lists}.</source>
<translation>Pas encore entièrement lu : {lists}.</translation>
</message>
<message>
<source>Note</source>
<translation>Remarque</translation>
</message>
<message>
<source>Note on this count</source>
<translation>Remarque sur ce comptage</translation>
</message>
<message>
<source>Nothing begins with {text}.</source>
<translation>Rien ne commence par {text}.</translation>
</message>
<message>
<source>Nothing begins with {text}. Use: {words}.</source>
<translation>Rien ne commence par {text}. Utilisez : {words}.</translation>
</message>
<message>
<source>Nothing can change backwards.</source>
<translation>Rien ne peut changer à rebours.</translation>
</message>
<message>
<source>Nothing changed</source>
<translation>Rien n’a changé</translation>
</message>
<message>
<source>Nothing changed between {then} and {now}.</source>
<translation>Rien n’a changé entre {then} et {now}.</translation>
</message>
<message>
<source>Nothing changed since {time}, when the history began.</source>
<translation>Rien n’a changé depuis {time}, début de l’historique.</translation>
</message>
<message>
<source>Nothing changed since {time}.</source>
<translation>Rien n’a changé depuis {time}.</translation>
</message>
<message>
<source>Nothing changes at the service.</source>
<translation>Rien ne change du côté du service.</translation>
</message>
<message>
<source>Nothing else is sent until it is answered.</source>
<translation>Rien d’autre n’est envoyé avant sa réponse.</translation>
</message>
<message>
<source>Nothing found for {text}</source>
<translation>Rien trouvé pour {text}</translation>
</message>
<message>
<source>Nothing found for {text}; not all of the shop is here</source>
<translation>Rien trouvé pour {text} ; le magasin n’est pas entièrement ici</translation>
</message>
<message numerus="yes">
<source>Nothing here belongs to them.</source>
<translation>
<numerusform>Rien n’en dépend ici.</numerusform>
<numerusform>Rien n’en dépend ici.</numerusform>
</translation>
</message>
<message>
<source>Nothing here needs attention</source>
<translation>Il n’y a rien à traiter ici</translation>
</message>
<message>
<source>Nothing here was changed today</source>
<translation>Rien n’a été modifié ici aujourd’hui</translation>
</message>
<message>
<source>Nothing here was removed or overwritten; the rows read before stay.</source>
<translation>Rien n’a été supprimé ni écrasé ici ; les lignes déjà lues restent.</translation>
</message>
<message>
<source>Nothing in it was waiting to be sent. Only the list of changes is shorter now.</source>
<translation>Rien n’y attendait d’être envoyé. Seule la liste des modifications est plus courte désormais.</translation>
</message>
<message>
<source>Nothing is due this week</source>
<translation>Rien à expédier cette semaine</translation>
</message>
<message>
<source>Nothing is lost by waiting. {saved}</source>
<translation>Attendre ne fait rien perdre. {saved}</translation>
</message>
<message>
<source>Nothing is low</source>
<translation>Aucun stock bas</translation>
</message>
<message>
<source>Nothing is on this computer yet</source>
<translation>Il n’y a encore rien sur cet ordinateur</translation>
</message>
<message>
<source>Nothing is saved yet: a preview comes next.</source>
<translation>Rien n’est encore enregistré : un aperçu vient ensuite.</translation>
</message>
<message>
<source>Nothing is sent to this shop. Change this in File &gt; Connection settings.</source>
<translation>Rien n’est envoyé à ce magasin. Pour changer cela : Fichier &gt; Paramètres de la connexion.</translation>
</message>
<message>
<source>Nothing listens at {host}; nothing was sent.</source>
<translation>Aucun programme n’est à l’écoute sur {host} ; rien n’a été envoyé.</translation>
</message>
<message>
<source>Nothing needs attention</source>
<translation>Rien à traiter</translation>
</message>
<message>
<source>Nothing proves that it was done, and the service shows what was there before. Either yours never arrived, or it arrived and somebody else set it back.</source>
<translation>Rien ne prouve que cela a été fait, et le service montre ce qu’il y avait avant. Soit votre modification n’est jamais arrivée, soit elle est arrivée et quelqu’un d’autre a rétabli l’état précédent.</translation>
</message>
<message>
<source>Nothing proves that it was done, and the stock is another. Either your {booked} arrived and somebody else booked too, or it never arrived.</source>
<translation>Rien ne prouve que cela a été fait, et le stock a une autre valeur. Soit votre mouvement ({booked}) est arrivé et quelqu’un d’autre en a fait un aussi, soit il n’est jamais arrivé.</translation>
</message>
<message>
<source>Nothing proves that it was done, and the stock is as before. Either your {booked} never arrived, or it arrived and somebody else booked the opposite.</source>
<translation>Rien ne prouve que cela a été fait, et le stock est comme avant. Soit votre mouvement ({booked}) n’est jamais arrivé, soit il est arrivé et quelqu’un d’autre a fait le mouvement inverse.</translation>
</message>
<message>
<source>Nothing proves that it was done, and the stock is as with your {booked}. Either it arrived, or it never did and somebody else booked the same.</source>
<translation>Rien ne prouve que cela a été fait, et le stock est celui qu’aurait donné votre mouvement ({booked}). Soit ce mouvement est arrivé, soit il n’est jamais arrivé et quelqu’un d’autre a fait le même.</translation>
</message>
<message>
<source>Nothing to book: scan what came in.</source>
<translation>Rien à valider : scannez ce qui est arrivé.</translation>
</message>
<message>
<source>Nothing to change</source>
<translation>Rien à modifier</translation>
</message>
<message>
<source>Nothing to change: it already has this value.</source>
<translation>Rien à modifier : la valeur est déjà celle-ci.</translation>
</message>
<message>
<source>Nothing to paste: copy cells or a text first.</source>
<translation>Rien à coller : copiez d’abord des cellules ou un texte.</translation>
</message>
<message>
<source>Nothing to save</source>
<translation>Rien à enregistrer</translation>
</message>
<message>
<source>Nothing was changed.</source>
<translation>Rien n’a été modifié.</translation>
</message>
<message>
<source>Nothing was overwritten; your change is kept here.</source>
<translation>Rien n’a été écrasé ; votre modification est conservée ici.</translation>
</message>
<message>
<source>Nothing was read from it or written to it.</source>
<translation>Rien n’y a été lu ni écrit.</translation>
</message>
<message>
<source>Nothing was read.</source>
<translation>Rien n’a été lu.</translation>
</message>
<message>
<source>Nothing was seen to change in these days.</source>
<translation>Aucune modification n’a été vue pendant ces jours.</translation>
</message>
<message>
<source>Nothing was sent, not even the key. You can read and edit the data on this computer.</source>
<translation>Rien n’a été envoyé, pas même la clé. Vous pouvez lire et modifier les données de cet ordinateur.</translation>
</message>
<message>
<source>Nothing was sent.</source>
<translation>Rien n’a été envoyé.</translation>
</message>
<message>
<source>Nothing was written.</source>
<translation>Rien n’a été écrit.</translation>
</message>
<message>
<source>Now</source>
<translation>Maintenant</translation>
</message>
<message>
<source>Now the network fails. You go on working; nothing is lost.</source>
<translation>Maintenant le réseau tombe. Vous continuez à travailler ; rien n’est perdu.</translation>
</message>
<message>
<source>Now {time}</source>
<translation>Temps : {time}</translation>
</message>
<message>
<source>Numbers</source>
<translation>Nombres</translation>
</message>
<message>
<source>Numbers of now as of {time}.</source>
<translation>Chiffres actuels au {time}.</translation>
</message>
<message>
<source>OK</source>
<translation>OK</translation>
</message>
<message>
<source>OK: {checks}</source>
<translation>OK : {checks}</translation>
</message>
<message>
<source>Off</source>
<translation>Désactivé</translation>
</message>
<message>
<source>Offered</source>
<translation>Proposée</translation>
</message>
<message>
<source>Offline since {time}. The program tries again now, and keeps trying</source>
<translation>Hors ligne depuis {time}. Le programme réessaie maintenant, et continuera d’essayer</translation>
</message>
<message>
<source>Offline since {time}: the service cannot be reached</source>
<translation>Hors ligne depuis {time} : le service ne peut pas être joint</translation>
</message>
<message>
<source>Offline: the program tries again now; nothing has changed here</source>
<translation>Hors ligne : le programme réessaie maintenant ; rien n’a changé ici</translation>
</message>
<message>
<source>Old value</source>
<translation>Ancienne valeur</translation>
</message>
<message>
<source>Olive</source>
<translation>Olive</translation>
</message>
<message>
<source>On</source>
<translation>Activé</translation>
</message>
<message>
<source>On each label</source>
<translation>Sur chaque étiquette</translation>
</message>
<message>
<source>On its way to the service.</source>
<translation>En route vers le service.</translation>
</message>
<message>
<source>One day…</source>
<translation>Un jour précis…</translation>
</message>
<message>
<source>One file at a time, please.</source>
<translation>Un seul fichier à la fois, s’il vous plaît.</translation>
</message>
<message>
<source>One moment.</source>
<translation>Un instant.</translation>
</message>
<message>
<source>One name per line. Saved at once, then sent.</source>
<translation>Un nom par ligne. Enregistré aussitôt, puis envoyé.</translation>
</message>
<message>
<source>One order for {pet}, to ship on {day}.</source>
<translation>À expédier le {day} : une commande portant sur {pet}.</translation>
</message>
<message>
<source>One order for {pet}, to ship today.</source>
<translation>Une commande portant sur {pet}, à expédier aujourd’hui.</translation>
</message>
<message>
<source>One order for {pet}.</source>
<translation>Une commande portant sur {pet}.</translation>
</message>
<message>
<source>Only in {tabs}.</source>
<translation>Seulement dans {tabs}.</translation>
</message>
<message>
<source>Only the history is affected; nothing else is.</source>
<translation>Seul l’historique est touché, rien d’autre.</translation>
</message>
<message>
<source>Only what the list shows: {view}</source>
<translation>Seulement ce que montre la liste : {view}</translation>
</message>
<message numerus="yes">
<source>Only {n} in stock.</source>
<translation>
<numerusform>Seulement {n} en stock.</numerusform>
<numerusform>Seulement {n} en stock.</numerusform>
</translation>
</message>
<message>
<source>Open</source>
<translation>Ouvrir</translation>
</message>
<message>
<source>Open &amp;log folder</source>
<translation>Ouvrir le dossier des &amp;journaux</translation>
</message>
<message>
<source>Open Today</source>
<translation>Ouvrir l’onglet Aujourd’hui</translation>
</message>
<message>
<source>Open licences</source>
<translation>Ouvrir les licences</translation>
</message>
<message>
<source>Open orders</source>
<translation>Commandes ouvertes</translation>
</message>
<message>
<source>Open the demo shop</source>
<translation>Ouvrir le magasin démo</translation>
</message>
<message>
<source>Open the folder</source>
<translation>Ouvrir le dossier</translation>
</message>
<message>
<source>Open the list</source>
<translation>Ouvrir la liste</translation>
</message>
<message>
<source>Open the list, and make the missing changes again.</source>
<translation>Ouvrez la liste, et refaites les modifications qui manquent.</translation>
</message>
<message>
<source>Open the manual (F1)</source>
<translation>Ouvrir le manuel (F1)</translation>
</message>
<message>
<source>Open the tab that was shown last</source>
<translation>Ouvrir le dernier onglet affiché</translation>
</message>
<message>
<source>OpenAPI document</source>
<translation>Document OpenAPI</translation>
</message>
<message>
<source>OpenAPI document (optional)</source>
<translation>Document OpenAPI (facultatif)</translation>
</message>
<message>
<source>OpenAPI documents and profiles (*.json *.yaml *.yml *.toml)</source>
<translation>Documents OpenAPI et profils (*.json *.yaml *.yml *.toml)</translation>
</message>
<message>
<source>Operation</source>
<translation>Opération</translation>
</message>
<message>
<source>Operations</source>
<translation>Opérations</translation>
</message>
<message>
<source>Operations of this service</source>
<translation>Opérations de ce service</translation>
</message>
<message>
<source>Operations…</source>
<translation>Opérations…</translation>
</message>
<message>
<source>Or type it</source>
<translation>Ou le taper</translation>
</message>
<message>
<source>Order</source>
<translation>Commande</translation>
</message>
<message>
<source>Order</source>
<comment>header of the order’s id</comment>
<translation>Commande</translation>
</message>
<message>
<source>Order</source>
<comment>one that has no id yet</comment>
<translation>Commande</translation>
</message>
<message>
<source>Order id</source>
<translation>Id de la commande</translation>
</message>
<message>
<source>Order of a pet that does not exist</source>
<translation>Commande d’un animal inexistant</translation>
</message>
<message>
<source>Order up to</source>
<translation>Commander jusqu’à</translation>
</message>
<message>
<source>Order without an id</source>
<translation>Commande sans identifiant</translation>
</message>
<message>
<source>Order {id}</source>
<translation>Commande {id}</translation>
</message>
<message>
<source>Order {id}, {count} {pet}</source>
<translation>Commande {id}, {count} {pet}</translation>
</message>
<message>
<source>Order {id}, {pet}</source>
<translation>Commande {id}, {pet}</translation>
</message>
<message>
<source>Order {id}: {pet}</source>
<translation>Commande {id} : {pet}</translation>
</message>
<message>
<source>Order {what} up to {most} in stock</source>
<translation>Commander jusqu’à {most} en stock : {what}</translation>
</message>
<message>
<source>Orders</source>
<translation>Commandes</translation>
</message>
<message>
<source>Orders by ship date</source>
<translation>Commandes par date d’expédition</translation>
</message>
<message>
<source>Orders by ship date, as they are now</source>
<translation>Commandes par date d’expédition, état actuel</translation>
</message>
<message>
<source>Orders by ship date, last week and this week</source>
<translation>Commandes par date d’expédition, semaine dernière et cette semaine</translation>
</message>
<message>
<source>Orders changed today</source>
<translation>Commandes modifiées aujourd’hui</translation>
</message>
<message>
<source>Orders completed</source>
<translation>Commandes terminées</translation>
</message>
<message>
<source>Orders for more than is in stock</source>
<translation>Commandes au-delà du stock</translation>
</message>
<message>
<source>Orders of pets that do not exist</source>
<translation>Commandes d’animaux inexistants</translation>
</message>
<message>
<source>Orders of this pet</source>
<translation>Commandes de cet animal</translation>
</message>
<message>
<source>Orders placed</source>
<translation>Commandes passées</translation>
</message>
<message>
<source>Orders that come in at the service are shown here.</source>
<translation>Les commandes qui arrivent au service s’affichent ici.</translation>
</message>
<message>
<source>Orders that need attention</source>
<translation>Modifications de commandes à traiter</translation>
</message>
<message>
<source>Other changes</source>
<translation>Autres modifications</translation>
</message>
<message>
<source>Other fields of the service</source>
<translation>Autres champs du service</translation>
</message>
<message>
<source>Other fields of {things}, which are shown in the details: {fields}.</source>
<translation>Autres champs de « {things} », affichés dans les détails : {fields}.</translation>
</message>
<message>
<source>Others with the same key</source>
<translation>Autres avec la même clé</translation>
</message>
<message>
<source>Outbo&amp;x</source>
<translation>&amp;Boîte d’envoi</translation>
</message>
<message>
<source>Outbox</source>
<translation>Boîte d’envoi</translation>
</message>
<message>
<source>Overdue</source>
<translation>En retard</translation>
</message>
<message>
<source>Overdue orders</source>
<translation>Commandes en retard</translation>
</message>
<message>
<source>Overdue orders now</source>
<translation>Commandes en retard actuellement</translation>
</message>
<message numerus="yes">
<source>Overdue orders now: {n}</source>
<translation>
<numerusform>Commandes en retard actuellement : {n}</numerusform>
<numerusform>Commandes en retard actuellement : {n}</numerusform>
</translation>
</message>
<message>
<source>Own line</source>
<translation>Ligne libre</translation>
</message>
<message>
<source>Own size of labels</source>
<translation>Format libre d’étiquettes</translation>
</message>
<message>
<source>Own size, {columns} × {rows}, {width} × {height} mm</source>
<translation>Format libre, {columns} × {rows}, {width} × {height} mm</translation>
</message>
<message>
<source>Own size…</source>
<translation>Format libre…</translation>
</message>
<message>
<source>P&amp;ut all shown into a category…</source>
<translation>Classer tous les animaux affichés dans &amp;une catégorie…</translation>
</message>
<message>
<source>P&amp;ut into a category…</source>
<translation>Classer dans &amp;une catégorie…</translation>
</message>
<message>
<source>PDF file</source>
<translation>Fichier PDF</translation>
</message>
<message>
<source>Page of the manual</source>
<translation>Page du manuel</translation>
</message>
<message>
<source>Pages of the manual</source>
<translation>Pages du manuel</translation>
</message>
<message>
<source>Paste</source>
<translation>Collage</translation>
</message>
<message>
<source>Paste lines</source>
<translation>Coller des lignes</translation>
</message>
<message>
<source>Path</source>
<translation>Chemin</translation>
</message>
<message>
<source>Pause</source>
<translation>Suspendre</translation>
</message>
<message>
<source>Pauses are exact all the same: they are counted, not read from a clock.</source>
<translation>Les pauses restent exactes malgré tout : elles sont décomptées, et non lues sur une horloge.</translation>
</message>
<message>
<source>Pending</source>
<translation>Réservés</translation>
</message>
<message>
<source>Period</source>
<translation>Période</translation>
</message>
<message>
<source>Person</source>
<translation>Utilisateur</translation>
</message>
<message>
<source>Pet</source>
<translation>Animal</translation>
</message>
<message>
<source>Pet Store Desktop</source>
<translation>Pet Store Desktop</translation>
</message>
<message>
<source>Pet Store Desktop did not end as it should the last time.</source>
<translation>Pet Store Desktop ne s’est pas terminé normalement la dernière fois.</translation>
</message>
<message>
<source>Pet Store Desktop is free software under the MIT licence. It uses Qt and PySide6 under the GNU Lesser General Public License, version 3. They are separate libraries beside the program: you may replace them with your own, and you may take the program apart to debug such a change.</source>
<translation>Pet Store Desktop est un logiciel libre sous licence MIT. Il utilise Qt et PySide6 sous la licence publique générale limitée GNU (LGPL), version 3. Ce sont des bibliothèques séparées, à côté du programme : vous pouvez les remplacer par les vôtres, et démonter le programme pour déboguer un tel changement.</translation>
</message>
<message>
<source>Pet Store Desktop {version} is available: Help &gt; About Pet Store Desktop.</source>
<translation>Pet Store Desktop {version} est disponible : Aide &gt; À propos de Pet Store Desktop.</translation>
</message>
<message>
<source>Pet id</source>
<translation>Id de l’animal</translation>
</message>
<message>
<source>Pets</source>
<translation>Animaux</translation>
</message>
<message>
<source>Pets as the program reads them</source>
<translation>Les animaux tels que le programme les lit</translation>
</message>
<message>
<source>Pets found</source>
<translation>Animaux trouvés</translation>
</message>
<message>
<source>Pets of the same name</source>
<translation>Animaux de même nom</translation>
</message>
<message>
<source>Pets sold</source>
<translation>Animaux vendus</translation>
</message>
<message>
<source>Pets without a category</source>
<translation>Animaux sans catégorie</translation>
</message>
<message>
<source>Pet’s name</source>
<translation>Nom de l’animal</translation>
</message>
<message>
<source>Pieces in stock</source>
<translation>Unités en stock</translation>
</message>
<message>
<source>Pieces in stock by category</source>
<translation>Unités en stock par catégorie</translation>
</message>
<message>
<source>Place order</source>
<translation>Passer commande</translation>
</message>
<message>
<source>Plan</source>
<translation>Forfait</translation>
</message>
<message>
<source>Pr&amp;int this list…</source>
<translation>Im&amp;primer cette liste…</translation>
</message>
<message>
<source>Pre&amp;ferences…</source>
<translation>Pré&amp;férences…</translation>
</message>
<message>
<source>Pre&amp;vious tab</source>
<translation>Onglet précéd&amp;ent</translation>
</message>
<message>
<source>Preferences</source>
<translation>Préférences</translation>
</message>
<message>
<source>Preparing…</source>
<translation>Préparation…</translation>
</message>
<message>
<source>Preview</source>
<translation>Aperçu</translation>
</message>
<message>
<source>Preview of the labels</source>
<translation>Aperçu des étiquettes</translation>
</message>
<message numerus="yes">
<source>Preview {n} rows</source>
<translation>
<numerusform>Aperçu : {n} ligne</numerusform>
<numerusform>Aperçu : {n} lignes</numerusform>
</translation>
</message>
<message>
<source>Preview: {page}, {start}</source>
<translation>Aperçu : {page}, {start}</translation>
</message>
<message>
<source>Preview: {what}</source>
<translation>Aperçu : {what}</translation>
</message>
<message>
<source>Previous month</source>
<translation>Mois précédent</translation>
</message>
<message>
<source>Previous page</source>
<translation>Page précédente</translation>
</message>
<message>
<source>Previous sheet</source>
<translation>Feuille précédente</translation>
</message>
<message>
<source>Print</source>
<translation>Imprimer</translation>
</message>
<message>
<source>Print at 100 %, not “fit to page”. These choices are kept for the next time.</source>
<translation>Imprimez à 100 %, sans « ajuster à la page ». Ces choix sont conservés pour la prochaine fois.</translation>
</message>
<message>
<source>Print labels</source>
<translation>Imprimer les étiquettes</translation>
</message>
<message>
<source>Print one to try</source>
<translation>Imprimer un essai</translation>
</message>
<message>
<source>Print the changes</source>
<translation>Imprimer les modifications</translation>
</message>
<message>
<source>Print the whole manual…</source>
<translation>Imprimer tout le manuel…</translation>
</message>
<message numerus="yes">
<source>Print {n} labels</source>
<translation>
<numerusform>Imprimer {n} étiquette</numerusform>
<numerusform>Imprimer {n} étiquettes</numerusform>
</translation>
</message>
<message>
<source>Print {view}</source>
<translation>Imprimer {view}</translation>
</message>
<message>
<source>Printing did not finish. Check the printer, or save a PDF.</source>
<translation>L’impression ne s’est pas terminée. Vérifiez l’imprimante, ou enregistrez un PDF.</translation>
</message>
<message>
<source>Print…</source>
<translation>Imprimer…</translation>
</message>
<message>
<source>Profiles (*.toml)</source>
<translation>Profils (*.toml)</translation>
</message>
<message>
<source>Program</source>
<translation>Programme</translation>
</message>
<message>
<source>Progress</source>
<translation>Progression</translation>
</message>
<message>
<source>Protocol as &amp;CSV…</source>
<translation>Procès-verbal en &amp;CSV…</translation>
</message>
<message>
<source>Protocol as &amp;PDF…</source>
<translation>Procès-verbal en &amp;PDF…</translation>
</message>
<message>
<source>Protocol of the count</source>
<translation>Procès-verbal de comptage</translation>
</message>
<message>
<source>Proxy</source>
<translation>Proxy</translation>
</message>
<message>
<source>Put away</source>
<translation>Masquer</translation>
</message>
<message>
<source>Put away until there are more: {what}</source>
<translation>Masqué jusqu’à ce qu’il y en ait davantage : {what}</translation>
</message>
<message>
<source>Put it back, or choose another one for the connection.</source>
<translation>Remettez-le en place, ou choisissez-en un autre pour la connexion.</translation>
</message>
<message>
<source>QR</source>
<translation>QR</translation>
</message>
<message>
<source>Quantity</source>
<translation>Quantité</translation>
</message>
<message>
<source>Quantity can’t be negative.</source>
<translation>La quantité ne peut pas être négative.</translation>
</message>
<message>
<source>Quit the program and start it again.</source>
<translation>Quittez le programme et redémarrez-le.</translation>
</message>
<message>
<source>R&amp;efresh</source>
<translation>&amp;Actualiser</translation>
</message>
<message>
<source>Re&amp;quests</source>
<translation>Re&amp;quêtes</translation>
</message>
<message>
<source>Read {age}.</source>
<translation>Liste lue ({age}).</translation>
</message>
<message>
<source>Read-only</source>
<translation>Lecture seule</translation>
</message>
<message>
<source>Read-only, not changed: {columns}.</source>
<translation>En lecture seule, sans modification : {columns}.</translation>
</message>
<message>
<source>Read-only: send no change to this shop</source>
<translation>Lecture seule : n’envoyer aucune modification à ce magasin</translation>
</message>
<message>
<source>Reading one category</source>
<translation>Lecture d’une catégorie</translation>
</message>
<message>
<source>Reading one order</source>
<translation>Lecture d’une commande</translation>
</message>
<message>
<source>Reading one pet</source>
<translation>Lecture d’un animal</translation>
</message>
<message>
<source>Reading the history…</source>
<translation>Lecture de l’historique…</translation>
</message>
<message>
<source>Reading the list of categories</source>
<translation>Lecture de la liste des catégories</translation>
</message>
<message>
<source>Reading the list of orders</source>
<translation>Lecture de la liste des commandes</translation>
</message>
<message>
<source>Reading the list of pets</source>
<translation>Lecture de la liste des animaux</translation>
</message>
<message>
<source>Reading the shop: {done}</source>
<translation>Lecture du magasin : {done}</translation>
</message>
<message>
<source>Reading the shop: {done} of {total}</source>
<translation>Lecture du magasin : {done} sur {total}</translation>
</message>
<message>
<source>Reading the stock list once, to see what moved since. Press the button again to go on without it.</source>
<translation>La liste du stock est lue une fois, pour voir ce qui a bougé depuis. Appuyez de nouveau sur le bouton pour continuer sans elle.</translation>
</message>
<message>
<source>Reading the stock of all pets</source>
<translation>Lecture du stock de tous les animaux</translation>
</message>
<message>
<source>Reading the stock of one pet</source>
<translation>Lecture du stock d’un animal</translation>
</message>
<message>
<source>Reading was stopped</source>
<translation>La lecture a été arrêtée</translation>
</message>
<message>
<source>Reading {things}</source>
<translation>Lecture en cours : {things}</translation>
</message>
<message>
<source>Reads a little of each list and changes nothing.</source>
<translation>Lit un peu de chaque liste et ne change rien.</translation>
</message>
<message>
<source>Reads a small file once a week. Nothing about you or your shop is sent.</source>
<translation>Lit un petit fichier une fois par semaine. Rien sur vous ni sur votre magasin n’est envoyé.</translation>
</message>
<message>
<source>Reason</source>
<translation>Motif</translation>
</message>
<message>
<source>Receive</source>
<translation>Réception</translation>
</message>
<message>
<source>Receive goods</source>
<translation>Réception de marchandises</translation>
</message>
<message>
<source>Received</source>
<translation>Reçu</translation>
</message>
<message>
<source>Received</source>
<comment>a delivery</comment>
<translation>Réception</translation>
</message>
<message>
<source>Received: {note}</source>
<translation>Réception : {note}</translation>
</message>
<message>
<source>Recognise scans everywhere</source>
<translation>Reconnaître les scans partout</translation>
</message>
<message>
<source>Record</source>
<translation>Fiche</translation>
</message>
<message>
<source>Record or id</source>
<translation>Fiche ou identifiant</translation>
</message>
<message>
<source>Record {id} may be a colleague’s: it looks like yours, but the service never confirmed yours. It is not deleted unless you choose to.</source>
<translation>La fiche {id} est peut-être celle d’un collègue : elle ressemble à la vôtre, mais le service n’a jamais confirmé la vôtre. Elle n’est supprimée que si vous le décidez.</translation>
</message>
<message>
<source>Records</source>
<translation>Fiches</translation>
</message>
<message>
<source>Records of this kind do not have the field that was entered.</source>
<translation>Les fiches de ce type n’ont pas le champ qui a été entré.</translation>
</message>
<message>
<source>Records set aside</source>
<translation>Fiches mises de côté</translation>
</message>
<message>
<source>Redo</source>
<translation>Rétablir</translation>
</message>
<message>
<source>Redo: {what}</source>
<translation>Rétablissement – {what}</translation>
</message>
<message>
<source>Redone: {what}</source>
<translation>Rétablissement – {what}</translation>
</message>
<message>
<source>Refresh</source>
<translation>Actualiser</translation>
</message>
<message>
<source>Refresh</source>
<comment>what requests were used for</comment>
<translation>Actualisation</translation>
</message>
<message>
<source>Refresh the list to see what is there now.</source>
<translation>Actualisez la liste pour voir ce qu’il en est maintenant.</translation>
</message>
<message>
<source>Refresh the list.</source>
<translation>Actualisez la liste.</translation>
</message>
<message>
<source>Refused</source>
<translation>Refusées</translation>
</message>
<message>
<source>Refused: {said}. Your change is kept here.</source>
<translation>Refusée : {said}. Votre modification est conservée ici.</translation>
</message>
<message>
<source>Refused: {said}. {record} is kept here</source>
<translation>Refusée : {said}. La modification est conservée ici : {record}</translation>
</message>
<message>
<source>Rehearsal</source>
<translation>Simulation</translation>
</message>
<message>
<source>Rehearsal of {shop} — Pet Store Desktop</source>
<translation>Simulation : {shop} — Pet Store Desktop</translation>
</message>
<message>
<source>Rehearsal:</source>
<translation>Simulation :</translation>
</message>
<message>
<source>Rehearsal: {words}</source>
<translation>Simulation : {words}</translation>
</message>
<message>
<source>Rehearse</source>
<translation>Simuler</translation>
</message>
<message>
<source>Rehearse…</source>
<translation>Simuler…</translation>
</message>
<message>
<source>Rem&amp;ove from the sort</source>
<translation>Retirer du &amp;tri</translation>
</message>
<message>
<source>Remove them from the address, and enter the password as the key.</source>
<translation>Retirez-les de l’adresse, et entrez le mot de passe comme clé.</translation>
</message>
<message>
<source>Removed by the service</source>
<translation>Supprimée par le service</translation>
</message>
<message>
<source>Removed by the service on {day}</source>
<translation>Supprimée par le service le {day}</translation>
</message>
<message>
<source>Rename</source>
<translation>Renommer</translation>
</message>
<message>
<source>Rename {things}</source>
<translation>Renommer {things}</translation>
</message>
<message>
<source>Rename {view}</source>
<translation>Renommer {view}</translation>
</message>
<message>
<source>Rename {view}…</source>
<translation>Renommer {view}…</translation>
</message>
<message>
<source>Repeated below; that row counts</source>
<translation>Répété plus bas ; c’est l’autre ligne qui compte</translation>
</message>
<message>
<source>Replace</source>
<translation>Remplacer</translation>
</message>
<message>
<source>Report</source>
<translation>Rapport</translation>
</message>
<message>
<source>Report, {days}</source>
<translation>Rapport, {days}</translation>
</message>
<message>
<source>Reports &amp;by week and month</source>
<translation>Rapports par &amp;semaine et par mois</translation>
</message>
<message>
<source>Request</source>
<translation>Requête</translation>
</message>
<message>
<source>Requests</source>
<translation>Requêtes</translation>
</message>
<message>
<source>Requests cannot be recorded: {file} cannot be used.</source>
<translation>Les requêtes ne peuvent pas être consignées : {file} n’est pas utilisable.</translation>
</message>
<message>
<source>Requests go through {proxy}. It sees where they go, but neither the key nor the content.</source>
<translation>Les requêtes passent par {proxy}. Il voit où elles vont, mais ni la clé ni le contenu.</translation>
</message>
<message>
<source>Requests le&amp;ft</source>
<translation>Requêtes res&amp;tantes</translation>
</message>
<message>
<source>Requests left</source>
<translation>Requêtes restantes</translation>
</message>
<message>
<source>Requests per day</source>
<translation>Requêtes par jour</translation>
</message>
<message>
<source>Requests per minute</source>
<translation>Requêtes par minute</translation>
</message>
<message>
<source>Requests today</source>
<translation>Requêtes du jour</translation>
</message>
<message>
<source>Requests today: {used}. {words}</source>
<translation>Requêtes du jour : {used}. {words}</translation>
</message>
<message>
<source>Requests: this minute {minute}; today {day}</source>
<translation>Requêtes : cette minute {minute} ; aujourd’hui {day}</translation>
</message>
<message>
<source>Res&amp;tore built-in views</source>
<translation>Res&amp;taurer les vues intégrées</translation>
</message>
<message>
<source>Reserve and order</source>
<translation>Réserver et commander</translation>
</message>
<message>
<source>Reserve for a caller</source>
<translation>Réserver par téléphone</translation>
</message>
<message>
<source>Reserve for a caller…</source>
<translation>Réserver par téléphone…</translation>
</message>
<message>
<source>Restart the program.</source>
<translation>Redémarrez le programme.</translation>
</message>
<message>
<source>Result</source>
<translation>Résultat</translation>
</message>
<message>
<source>Resume</source>
<translation>Reprendre</translation>
</message>
<message>
<source>Resume &amp;now…</source>
<translation>Repren&amp;dre maintenant…</translation>
</message>
<message>
<source>Resume now</source>
<translation>Reprendre maintenant</translation>
</message>
<message>
<source>Resume now…</source>
<translation>Reprendre maintenant…</translation>
</message>
<message>
<source>Review variances</source>
<translation>Examiner les écarts</translation>
</message>
<message numerus="yes">
<source>Review {n} variances</source>
<translation>
<numerusform>Examiner {n} écart</numerusform>
<numerusform>Examiner {n} écarts</numerusform>
</translation>
</message>
<message>
<source>Risk a ban and resume now?</source>
<translation>Risquer un blocage et reprendre maintenant ?</translation>
</message>
<message>
<source>Roll, {width} × {height} mm</source>
<translation>Rouleau, {width} × {height} mm</translation>
</message>
<message>
<source>Rose</source>
<translation>Rose</translation>
</message>
<message>
<source>Row</source>
<translation>Ligne</translation>
</message>
<message>
<source>Rows</source>
<translation>Lignes</translation>
</message>
<message>
<source>Rows of the file</source>
<translation>Lignes du fichier</translation>
</message>
<message>
<source>Rows of the file: {changed} to change, {new} new, {same} the same, {wrong} wrong.</source>
<translation>Lignes du fichier – à modifier : {changed}, à ajouter : {new}, identiques : {same}, erronées : {wrong}.</translation>
</message>
<message>
<source>Rows show as they come.</source>
<translation>Les lignes s’affichent au fur et à mesure.</translation>
</message>
<message>
<source>Runs on</source>
<translation>Fonctionne sous</translation>
</message>
<message>
<source>Rust</source>
<translation>Rouille</translation>
</message>
<message>
<source>Same as system</source>
<translation>Comme le système</translation>
</message>
<message>
<source>Same name twice</source>
<translation>Nom en double</translation>
</message>
<message>
<source>Save</source>
<translation>Enregistrer</translation>
</message>
<message>
<source>Save &amp;changes of this view</source>
<translation>Enregistrer les &amp;modifications de cette vue</translation>
</message>
<message>
<source>Save PDF</source>
<translation>Enregistrer le PDF</translation>
</message>
<message>
<source>Save anyway</source>
<translation>Enregistrer quand même</translation>
</message>
<message>
<source>Save as CSV</source>
<translation>Enregistrer en CSV</translation>
</message>
<message>
<source>Save as PDF</source>
<translation>Enregistrer en PDF</translation>
</message>
<message>
<source>Save as profile</source>
<translation>Enregistrer comme profil</translation>
</message>
<message>
<source>Save as profile…</source>
<translation>Enregistrer comme profil…</translation>
</message>
<message>
<source>Save it as a file, keep only the parts about pets, categories, orders and stock, and choose that file as the connection’s document.</source>
<translation>Enregistrez-le dans un fichier, n’y gardez que les parties sur les animaux, les catégories, les commandes et le stock, et choisissez ce fichier comme document de la connexion.</translation>
</message>
<message>
<source>Save the protocol as CSV</source>
<translation>Enregistrer le procès-verbal en CSV</translation>
</message>
<message>
<source>Save the table as CSV or XLSX, and import that.</source>
<translation>Enregistrez le tableau en CSV ou en XLSX, et importez ce fichier.</translation>
</message>
<message>
<source>Save this choice of operations?</source>
<translation>Enregistrer ce choix d’opérations ?</translation>
</message>
<message>
<source>Save view</source>
<translation>Enregistrer la vue</translation>
</message>
<message>
<source>Save {changes}</source>
<translation>Enregistrer {changes}</translation>
</message>
<message numerus="yes">
<source>Save {n} values in {changes}</source>
<translation>
<numerusform>Enregistrer {n} valeur en {changes}</numerusform>
<numerusform>Enregistrer {n} valeurs en {changes}</numerusform>
</translation>
</message>
<message>
<source>Save {view}</source>
<translation>Enregistrer {view}</translation>
</message>
<message>
<source>Saved as you count: closing the program loses nothing</source>
<translation>Enregistré à chaque comptage : fermer le programme ne fait rien perdre</translation>
</message>
<message>
<source>Saved as you scan: closing the program loses nothing</source>
<translation>Enregistré à chaque scan : fermer le programme ne fait rien perdre</translation>
</message>
<message>
<source>Saved at once, then sent: 1 request.</source>
<translation>Enregistré aussitôt, puis envoyé : 1 requête.</translation>
</message>
<message>
<source>Saved changes are safe. Until this is solved nothing can be changed or sent.</source>
<translation>Les modifications enregistrées sont en sécurité. Tant que ce n’est pas résolu, rien ne peut être modifié ni envoyé.</translation>
</message>
<message>
<source>Saved on this computer</source>
<translation>Enregistré sur cet ordinateur</translation>
</message>
<message>
<source>Saved on this computer at once, then sent.</source>
<translation>Enregistrée aussitôt sur cet ordinateur, puis envoyée.</translation>
</message>
<message>
<source>Saved on this computer {time}.</source>
<translation>Enregistrée sur cet ordinateur ({time}).</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out after one test request.</source>
<translation>Enregistrée sur cet ordinateur ({time}). Partira après une requête de test.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out after {until}, when the ban is over.</source>
<translation>Enregistrée sur cet ordinateur ({time}). Partira à partir de {until}, à la fin du blocage.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out after {until}, with the next day’s requests.</source>
<translation>Enregistrée sur cet ordinateur ({time}). Partira à partir de {until}, avec les requêtes du jour suivant.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out after {until}: the rest of today’s requests is kept for you.</source>
<translation>Enregistrée sur cet ordinateur ({time}). Partira à partir de {until} : le reste des requêtes du jour vous est réservé.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out in its turn.</source>
<translation>Enregistrée sur cet ordinateur ({time}). Partira à son tour.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out next.</source>
<translation>Enregistrée sur cet ordinateur ({time}). Prochaine à partir.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out once there is a key that works.</source>
<translation>Enregistrée sur cet ordinateur ({time}). Partira dès qu’une clé fonctionnera.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out when the ban is over.</source>
<translation>Enregistrée sur cet ordinateur ({time}). Partira à la fin du blocage.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out when the pause is over.</source>
<translation>Enregistrée sur cet ordinateur ({time}). Partira à la fin de la pause.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out when the service has requests left again.</source>
<translation>Enregistrée sur cet ordinateur ({time}). Partira quand le service aura de nouveau des requêtes disponibles.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out when the service takes requests again.</source>
<translation>Enregistrée sur cet ordinateur ({time}). Partira quand le service acceptera de nouveau des requêtes.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out with the next day’s requests.</source>
<translation>Enregistrée sur cet ordinateur ({time}). Partira avec les requêtes du jour suivant.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out with the next minute’s requests.</source>
<translation>Enregistrée sur cet ordinateur ({time}). Partira avec les requêtes de la minute suivante.</translation>
</message>
<message>
<source>Saved on this computer {time}. Its job is paused.</source>
<translation>Enregistrée sur cet ordinateur ({time}). Sa tâche est suspendue.</translation>
</message>
<message>
<source>Saved on this computer {time}. There is no key yet, so nothing is sent (File &gt; Change key).</source>
<translation>Enregistrée sur cet ordinateur ({time}). Il n’y a pas encore de clé, donc rien n’est envoyé (Fichier &gt; Changer la clé).</translation>
</message>
<message>
<source>Saved on this computer {time}. Waits for an earlier change that needs attention.</source>
<translation>Enregistrée sur cet ordinateur ({time}). Attend une modification antérieure à traiter.</translation>
</message>
<message>
<source>Saved on this computer {time}. Waits for the network.</source>
<translation>Enregistrée sur cet ordinateur ({time}). En attente du réseau.</translation>
</message>
<message>
<source>Saved on this computer {time}. Waits: the rest of today’s requests is kept for you.</source>
<translation>Enregistrée sur cet ordinateur ({time}). En attente : le reste des requêtes du jour vous est réservé.</translation>
</message>
<message>
<source>Saved on this computer. Not sent: this connection is read-only.</source>
<translation>Enregistrée sur cet ordinateur. Non envoyée : cette connexion est en lecture seule.</translation>
</message>
<message>
<source>Saves the filter, sort and columns of this list on this computer.</source>
<translation>Enregistre sur cet ordinateur le filtre, le tri et les colonnes de cette liste.</translation>
</message>
<message>
<source>Scan a code that is missing: you are asked for its pet again.</source>
<translation>Scannez un code qui manque : son animal vous sera redemandé.</translation>
</message>
<message>
<source>Scan the first pet, or type its id or name.</source>
<translation>Scannez le premier animal, ou tapez son identifiant ou son nom.</translation>
</message>
<message>
<source>Scan the next pet, or type its id or name.</source>
<translation>Scannez l’animal suivant, ou tapez son identifiant ou son nom.</translation>
</message>
<message>
<source>Scan what came in</source>
<translation>Scannez ce qui est arrivé</translation>
</message>
<message>
<source>Scan, or type an id or a name</source>
<translation>Scannez, ou tapez un id ou un nom</translation>
</message>
<message>
<source>Scanned at</source>
<translation>Heure du scan</translation>
</message>
<message>
<source>Scanned {what}. Close this window first, then scan again.</source>
<translation>Scanné : {what}. Fermez d’abord cette fenêtre, puis scannez de nouveau.</translation>
</message>
<message>
<source>Scanner</source>
<translation>Lecteur</translation>
</message>
<message>
<source>Scans</source>
<translation>Scans</translation>
</message>
<message>
<source>Scene</source>
<translation>Scénario</translation>
</message>
<message>
<source>Search or &amp;jump to…</source>
<translation>Rec&amp;hercher ou aller à…</translation>
</message>
<message>
<source>Search the manual</source>
<translation>Rechercher dans le manuel</translation>
</message>
<message>
<source>Searching…</source>
<translation>Recherche…</translation>
</message>
<message>
<source>See the service’s documentation; it often ends in /v1.</source>
<translation>Consultez la documentation du service ; l’adresse se termine souvent par /v1.</translation>
</message>
<message>
<source>Seen</source>
<translation>Vu le</translation>
</message>
<message>
<source>Select &amp;all</source>
<translation>To&amp;ut sélectionner</translation>
</message>
<message>
<source>Select &amp;whole rows</source>
<translation>Sélectionner les li&amp;gnes entières</translation>
</message>
<message>
<source>Select cells that form a block to copy them.</source>
<translation>Pour les copier, sélectionnez des cellules qui forment un bloc.</translation>
</message>
<message>
<source>Select pets in the Pets or Inventory list, then press Ctrl+L.</source>
<translation>Sélectionnez des animaux dans la liste Animaux ou Stock, puis appuyez sur Ctrl+L.</translation>
</message>
<message>
<source>Select rows first.</source>
<translation>Sélectionnez d’abord des lignes.</translation>
</message>
<message>
<source>Select whole columns</source>
<translation>Sélectionner les colonnes entières</translation>
</message>
<message>
<source>Selected: {rows}</source>
<translation>Sélection : {rows}</translation>
</message>
<message>
<source>Semicolon</source>
<translation>Point-virgule</translation>
</message>
<message>
<source>Send again</source>
<translation>Renvoyer</translation>
</message>
<message>
<source>Send again sends it now; It was done sends nothing.</source>
<translation>« Renvoyer » l’envoie maintenant ; « C’est fait » n’envoie rien.</translation>
</message>
<message>
<source>Send first</source>
<translation>Envoyer d’abord</translation>
</message>
<message>
<source>Send {changes}</source>
<translation>Envoyer {changes}</translation>
</message>
<message numerus="yes">
<source>Send {n}</source>
<translation>
<numerusform>Envoyer {n}</numerusform>
<numerusform>Envoyer {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Send {n} again</source>
<translation>
<numerusform>Renvoyer {n}</numerusform>
<numerusform>Renvoyer {n}</numerusform>
</translation>
</message>
<message>
<source>Sending is paused for {left}</source>
<translation>L’envoi est en pause, encore {left}</translation>
</message>
<message>
<source>Sending is paused until {time}.</source>
<translation>L’envoi est en pause jusqu’à {time}.</translation>
</message>
<message>
<source>Sending is paused.</source>
<translation>L’envoi est en pause.</translation>
</message>
<message>
<source>Sent</source>
<translation>Envoyées</translation>
</message>
<message>
<source>Sent to the printer</source>
<translation>Envoyé à l’imprimante</translation>
</message>
<message>
<source>Sent {seen}, no answer came. Look in the list whether it is there.</source>
<translation>Envoyée ({seen}), sans réponse. Regardez dans la liste si la fiche y est.</translation>
</message>
<message>
<source>Sent {time}.</source>
<translation>Envoyée ({time}).</translation>
</message>
<message>
<source>Sent {time}. The record may be a colleague’s: it has the values that you entered, but the service never confirmed yours.</source>
<translation>Envoyé {time}. Cette fiche est peut-être celle d’un collègue : elle a les valeurs que vous avez saisies, mais le service n’a jamais confirmé la vôtre.</translation>
</message>
<message>
<source>Sent {time}. Undone since.</source>
<translation>Envoyée ({time}). Annulée depuis.</translation>
</message>
<message>
<source>Sentence copied</source>
<translation>Phrase copiée</translation>
</message>
<message>
<source>Separator</source>
<translation>Séparateur</translation>
</message>
<message>
<source>Server response</source>
<translation>Réponse du serveur</translation>
</message>
<message>
<source>Set</source>
<translation>Définir</translation>
</message>
<message>
<source>Set &amp;sold</source>
<translation>Marquer &amp;vendu</translation>
</message>
<message>
<source>Set a&amp;vailable</source>
<translation>Marquer disponib&amp;le</translation>
</message>
<message>
<source>Set all stock shown to &amp;0…</source>
<translation>Mettre à &amp;0 tout le stock affiché…</translation>
</message>
<message>
<source>Set an http proxy (HTTPS_PROXY), or exclude this service (NO_PROXY). Then restart the program.</source>
<translation>Définissez un proxy http (HTTPS_PROXY), ou excluez ce service (NO_PROXY). Redémarrez ensuite le programme.</translation>
</message>
<message>
<source>Set minimums…</source>
<translation>Définir le stock minimum…</translation>
</message>
<message>
<source>Set one up to store the key. Until then the program asks for it at each start.</source>
<translation>Installez-en un pour conserver la clé. D’ici là, le programme la demande à chaque démarrage.</translation>
</message>
<message>
<source>Set one up, or give the key in the variable PETSTORE_API_KEY.</source>
<translation>Installez-en un, ou indiquez la clé dans la variable PETSTORE_API_KEY.</translation>
</message>
<message>
<source>Set pendin&amp;g</source>
<translation>Marquer &amp;réservé</translation>
</message>
<message>
<source>Set stock to &amp;0…</source>
<translation>Mettre le stock à &amp;0…</translation>
</message>
<message>
<source>Set the minimum stock again (Shop &gt; Minimum stock).</source>
<translation>Définissez de nouveau le stock minimum (Magasin &gt; Stock minimum).</translation>
</message>
<message>
<source>Set them in its address (HTTPS_PROXY=http://name:password@proxy). Then restart the program.</source>
<translation>Indiquez-les dans son adresse (HTTPS_PROXY=http://name:password@proxy). Redémarrez ensuite le programme.</translation>
</message>
<message>
<source>Set these values again, or connect again under the same name and address.</source>
<translation>Définissez ces valeurs de nouveau, ou connectez-vous de nouveau sous le même nom et à la même adresse.</translation>
</message>
<message>
<source>Set {things} to {value}</source>
<translation>Passer {things} à « {value} »</translation>
</message>
<message>
<source>Several categories have this name: enter the id.</source>
<translation>Plusieurs catégories portent ce nom : entrez l’identifiant.</translation>
</message>
<message>
<source>Several pets have {code}</source>
<translation>Plusieurs animaux ont le code {code}</translation>
</message>
<message>
<source>Several pets have {code}. Which one is it?</source>
<translation>Plusieurs animaux ont le code {code}. Lequel est-ce ?</translation>
</message>
<message>
<source>Sheet</source>
<translation>Feuille</translation>
</message>
<message>
<source>Sheet</source>
<comment>of a workbook</comment>
<translation>Feuille</translation>
</message>
<message>
<source>Sheet {page} of {pages}</source>
<translation>Feuille {page} sur {pages}</translation>
</message>
<message>
<source>Sheet, height</source>
<translation>Feuille, hauteur</translation>
</message>
<message>
<source>Sheet, width</source>
<translation>Feuille, largeur</translation>
</message>
<message>
<source>Shift JIS, Japanese</source>
<translation>Shift JIS, japonais</translation>
</message>
<message>
<source>Shift+F5</source>
<translation>Maj+F5</translation>
</message>
<message>
<source>Ship date</source>
<translation>Expédition</translation>
</message>
<message>
<source>Shop</source>
<translation>Magasin</translation>
</message>
<message>
<source>Show</source>
<translation>Afficher</translation>
</message>
<message>
<source>Show all changes</source>
<translation>Afficher toutes les modifications</translation>
</message>
<message>
<source>Show each request</source>
<translation>Afficher chaque requête</translation>
</message>
<message>
<source>Show its o&amp;rders</source>
<translation>A&amp;fficher ses commandes</translation>
</message>
<message>
<source>Show me, in a minute and a half</source>
<translation>Montrer, en une minute et demie</translation>
</message>
<message>
<source>Show outbox</source>
<translation>Afficher la boîte d’envoi</translation>
</message>
<message>
<source>Show the report</source>
<translation>Afficher le rapport</translation>
</message>
<message>
<source>Shown: {rows}</source>
<translation>Affiché : {rows}</translation>
</message>
<message>
<source>Shows the requests left and who used them</source>
<translation>Montre les requêtes restantes et qui les a utilisées</translation>
</message>
<message>
<source>Signs such as | and ! work in the filters below the headers.</source>
<translation>Les signes comme | et ! s’utilisent dans les filtres sous les en-têtes.</translation>
</message>
<message>
<source>Since</source>
<translation>Depuis</translation>
</message>
<message>
<source>Since you left</source>
<translation>Depuis votre départ</translation>
</message>
<message>
<source>Since {time}: {parts}.</source>
<translation>Depuis {time} : {parts}.</translation>
</message>
<message>
<source>Slate</source>
<translation>Ardoise</translation>
</message>
<message>
<source>Sold</source>
<translation>Vendu</translation>
</message>
<message>
<source>Sold pets with stock</source>
<translation>Animaux vendus mais en stock</translation>
</message>
<message>
<source>Sold with stock</source>
<translation>Vendu mais en stock</translation>
</message>
<message>
<source>Some name categories that may be newer than the list of categories. Refresh the categories to tell.</source>
<translation>Certaines fiches nomment des catégories qui sont peut-être plus récentes que la liste des catégories. Actualiser les catégories pour le savoir.</translation>
</message>
<message>
<source>Some name pets that may be newer than the list of pets. Refresh the pets to tell.</source>
<translation>Certaines fiches nomment des animaux qui sont peut-être plus récents que la liste des animaux. Actualiser les animaux pour le savoir.</translation>
</message>
<message>
<source>Some records name others that are not here: they may be new. Refresh to be sure: {lists}.</source>
<translation>Certaines fiches en nomment d’autres qui ne sont pas ici : elles peuvent être nouvelles. Pour en être sûr, actualisez : {lists}.</translation>
</message>
<message>
<source>Some values in {file} cannot be used: {what}.</source>
<translation>Certaines valeurs du fichier {file} ne peuvent pas être utilisées : {what}.</translation>
</message>
<message>
<source>Somebody else changed it between {since} and {time}.</source>
<translation>Quelqu’un d’autre a fait cette modification entre {since} et {time}.</translation>
</message>
<message>
<source>Somebody else edits too</source>
<translation>Quelqu’un d’autre modifie aussi</translation>
</message>
<message>
<source>Something answers at {url}, but it has no OpenAPI document there and none of the standard operations.</source>
<translation>Quelque chose répond à l’adresse {url}, mais il n’y a là ni document OpenAPI ni aucune des opérations standard.</translation>
</message>
<message>
<source>Something answers at {url}, but nothing shows that it is the service.</source>
<translation>Quelque chose répond à l’adresse {url}, mais rien n’indique qu’il s’agit du service.</translation>
</message>
<message>
<source>Something answers, but not with a list of a pet shop.</source>
<translation>Quelque chose répond, mais pas avec une liste d’animalerie.</translation>
</message>
<message>
<source>Something is missing after {text}.</source>
<translation>Il manque quelque chose après {text}.</translation>
</message>
<message>
<source>Sort &amp;ascending</source>
<translation>Tri &amp;croissant</translation>
</message>
<message>
<source>Sort &amp;descending</source>
<translation>Tr&amp;i décroissant</translation>
</message>
<message>
<source>Sound of a scan</source>
<translation>Son d’un scan</translation>
</message>
<message>
<source>Squares of {width} mm: hard to scan. Choose larger labels.</source>
<translation>Carrés de {width} mm : difficiles à scanner. Choisissez des étiquettes plus grandes.</translation>
</message>
<message>
<source>Squares of {width} mm: safe for hand scanners</source>
<translation>Carrés de {width} mm : bien lisibles par les douchettes</translation>
</message>
<message>
<source>Stands beside each of these changes in the history.</source>
<translation>Figure à côté de chacune de ces modifications dans l’historique.</translation>
</message>
<message>
<source>Start at label</source>
<translation>Commencer à l’étiquette</translation>
</message>
<message>
<source>Start it again, or log in again, then enter the key.</source>
<translation>Redémarrez-le ou rouvrez votre session, puis entrez la clé.</translation>
</message>
<message>
<source>Start over</source>
<translation>Recommencer</translation>
</message>
<message>
<source>State</source>
<translation>État</translation>
</message>
<message>
<source>Status</source>
<translation>Statut</translation>
</message>
<message>
<source>Stock</source>
<translation>Stock</translation>
</message>
<message>
<source>Stock at or below the minimum is marked low. Both are kept on this computer only.</source>
<translation>Un stock égal ou inférieur au minimum est signalé comme bas. Les deux valeurs ne sont conservées que sur cet ordinateur.</translation>
</message>
<message>
<source>Stock below zero</source>
<translation>Stock négatif</translation>
</message>
<message>
<source>Stock changed</source>
<translation>Stock modifié</translation>
</message>
<message>
<source>Stock changed today</source>
<translation>Stock modifié aujourd’hui</translation>
</message>
<message>
<source>Stock entries</source>
<translation>Fiches de stock</translation>
</message>
<message>
<source>Stock is changed by the key that each of its entries has of its own: {name}.</source>
<translation>Le stock est modifié par la clé propre à chaque entrée : {name}.</translation>
</message>
<message>
<source>Stock over time</source>
<translation>Évolution du stock</translation>
</message>
<message>
<source>Stock that needs attention</source>
<translation>Modifications de stock à traiter</translation>
</message>
<message>
<source>Stock without a pet</source>
<translation>Stock sans animal</translation>
</message>
<message>
<source>Stocktake</source>
<translation>Inventaire</translation>
</message>
<message>
<source>Stocktake begun</source>
<translation>Inventaire en cours</translation>
</message>
<message>
<source>Stocktake {time}</source>
<translation>Inventaire {time}</translation>
</message>
<message>
<source>Stocktake: {what}</source>
<translation>Inventaire : {what}</translation>
</message>
<message>
<source>Stop</source>
<translation>Arrêter</translation>
</message>
<message>
<source>Stop reading</source>
<translation>Arrêter la lecture</translation>
</message>
<message>
<source>Stopped.</source>
<translation>Arrêté.</translation>
</message>
<message>
<source>Stopped. Nothing was saved.</source>
<translation>Arrêté. Rien n’a été enregistré.</translation>
</message>
<message>
<source>Stopped: {what}. {sent} of {n} were sent, and stay</source>
<translation>Arrêté : {what}. Déjà envoyées, et conservées : {sent} sur {n}</translation>
</message>
<message>
<source>Such a change shows here with both values.</source>
<translation>Une telle modification s’affiche ici avec les deux valeurs.</translation>
</message>
<message>
<source>Supplier note</source>
<translation>Bon de livraison</translation>
</message>
<message>
<source>Sw&amp;itch to another shop…</source>
<translation>C&amp;hanger de magasin…</translation>
</message>
<message>
<source>Swap them</source>
<translation>Les inverser</translation>
</message>
<message>
<source>T&amp;hen by this, ascending</source>
<translation>Tri &amp;secondaire croissant</translation>
</message>
<message>
<source>Tab</source>
<translation>Tabulation</translation>
</message>
<message>
<source>Tables (*.csv *.tsv *.txt *.tab *.xlsx *.xlsm)</source>
<translation>Tableaux (*.csv *.tsv *.txt *.tab *.xlsx *.xlsm)</translation>
</message>
<message>
<source>Tabs</source>
<translation>Onglets</translation>
</message>
<message>
<source>Take out</source>
<translation>Retirer</translation>
</message>
<message>
<source>Take theirs</source>
<translation>Prendre la leur</translation>
</message>
<message>
<source>Teal</source>
<translation>Sarcelle</translation>
</message>
<message>
<source>Tell me when there is a newer version</source>
<translation>Signaler les nouvelles versions</translation>
</message>
<message>
<source>Tell the service’s provider. The program still obeys every wait.</source>
<translation>Prévenez le fournisseur du service. Le programme respecte toujours chaque attente.</translation>
</message>
<message>
<source>Test after a pause</source>
<translation>Test après une pause</translation>
</message>
<message>
<source>Test and connect</source>
<translation>Tester et connecter</translation>
</message>
<message>
<source>Text for any spreadsheet (.csv)</source>
<translation>Texte pour tout tableur (.csv)</translation>
</message>
<message>
<source>That has not happened yet</source>
<translation>Ce moment n’est pas encore arrivé</translation>
</message>
<message>
<source>That was a demo shop. Open it to try it yourself, or connect your own shop.</source>
<translation>C’était un magasin démo. Ouvrez-le pour l’essayer, ou connectez le vôtre.</translation>
</message>
<message>
<source>The OpenAPI document cannot be read: {path}.</source>
<translation>Le document OpenAPI ne peut pas être lu : {path}.</translation>
</message>
<message>
<source>The OpenAPI document describes another service: {titled}. Nothing in it is what a pet shop needs.</source>
<translation>Le document OpenAPI décrit un autre service : {titled}. Rien de ce qu’il contient ne sert à une animalerie.</translation>
</message>
<message>
<source>The OpenAPI document has more than {most} operations, and the first ones are not what a pet shop needs.</source>
<translation>Le document OpenAPI a plus de {most} opérations, et les premières ne servent pas à une animalerie.</translation>
</message>
<message>
<source>The OpenAPI document has moved to another address: {target}.</source>
<translation>Le document OpenAPI a changé d’adresse : {target}.</translation>
</message>
<message>
<source>The OpenAPI document is larger than {megabytes} MB, so it was not read: {path}.</source>
<translation>Le document OpenAPI dépasse {megabytes} Mo ; il n’a donc pas été lu : {path}.</translation>
</message>
<message>
<source>The OpenAPI document is much larger than its file once expanded ({why}), so it was not read to the end.</source>
<translation>Une fois développé, le document OpenAPI est beaucoup plus grand que son fichier ({why}) ; il n’a donc pas été lu jusqu’au bout.</translation>
</message>
<message>
<source>The OpenAPI document is neither JSON nor YAML ({why}).</source>
<translation>Le document OpenAPI n’est ni en JSON ni en YAML ({why}).</translation>
</message>
<message>
<source>The OpenAPI document is not at {path}. That address redirects to {target}; the program does not follow.</source>
<translation>Le document OpenAPI n’est pas à l’adresse {path}. Celle-ci redirige vers {target} ; le programme ne suit pas.</translation>
</message>
<message>
<source>The OpenAPI document is of version {version}; the program reads OpenAPI 3.0 and 3.1, and Swagger 2.0.</source>
<translation>Le document OpenAPI est de la version {version} ; le programme lit OpenAPI 3.0 et 3.1, et Swagger 2.0.</translation>
</message>
<message>
<source>The OpenAPI document that was chosen: {named}.</source>
<translation>Le document OpenAPI choisi : {named}.</translation>
</message>
<message>
<source>The address holds a password; enter it as the key instead.</source>
<translation>L’adresse contient un mot de passe ; entrez-le plutôt comme clé.</translation>
</message>
<message>
<source>The address holds a user name or a password; nothing was sent.</source>
<translation>L’adresse contient un nom d’utilisateur ou un mot de passe ; rien n’a été envoyé.</translation>
</message>
<message>
<source>The address must begin with https:// (http:// only for this computer).</source>
<translation>L’adresse doit commencer par https:// (http:// uniquement pour cet ordinateur).</translation>
</message>
<message>
<source>The answer is not JSON, but {content_type}.</source>
<translation>La réponse n’est pas du JSON, mais {content_type}.</translation>
</message>
<message>
<source>The beginning of a word is enough.</source>
<translation>Le début d’un mot suffit.</translation>
</message>
<message>
<source>The categories</source>
<translation>Les catégories</translation>
</message>
<message>
<source>The categories are not all on this computer, and all are needed to tell.</source>
<translation>Les catégories ne sont pas toutes sur cet ordinateur, et il les faut toutes pour le savoir.</translation>
</message>
<message>
<source>The category’s id and name are both changed, and do not match.</source>
<translation>L’identifiant et le nom de la catégorie sont tous deux modifiés, et ne concordent pas.</translation>
</message>
<message>
<source>The certificate is trusted, by this computer or by {file}.</source>
<translation>Le certificat est reconnu, par cet ordinateur ou par {file}.</translation>
</message>
<message>
<source>The certificate of {host} expired: {until}.</source>
<translation>Le certificat présenté par {host} a expiré : {until}.</translation>
</message>
<message>
<source>The certificate of {host} is not valid yet; it begins: {since}.</source>
<translation>Le certificat présenté par {host} n’est pas encore valable ; début : {since}.</translation>
</message>
<message>
<source>The certificate of {host} is self-signed, so this computer does not trust it.</source>
<translation>Le certificat présenté par {host} est autosigné ; cet ordinateur ne lui fait donc pas confiance.</translation>
</message>
<message>
<source>The certificate of {host} is signed by {issuer}, which this computer does not trust.</source>
<translation>Le certificat présenté par {host} est signé par {issuer}, à qui cet ordinateur ne fait pas confiance.</translation>
</message>
<message>
<source>The certificate of {host} was revoked by its authority.</source>
<translation>Le certificat présenté par {host} a été révoqué par son autorité.</translation>
</message>
<message>
<source>The certificate that {host} shows is not for this name, but for {names}.</source>
<translation>Le certificat présenté par {host} n’est pas établi pour ce nom, mais pour {names}.</translation>
</message>
<message>
<source>The changes cannot be read</source>
<translation>Les modifications ne peuvent pas être lues</translation>
</message>
<message>
<source>The changes of the rehearsal wait under Shop &gt; Rehearse.</source>
<translation>Les modifications de la simulation attendent sous Magasin &gt; Simuler.</translation>
</message>
<message>
<source>The characters of this file can be read in several ways. Choose its encoding.</source>
<translation>Les caractères de ce fichier peuvent se lire de plusieurs façons. Choisissez son encodage.</translation>
</message>
<message>
<source>The check was stopped.</source>
<translation>La vérification a été arrêtée.</translation>
</message>
<message>
<source>The connection and its data are still here.</source>
<translation>La connexion et ses données sont toujours là.</translation>
</message>
<message>
<source>The connection broke while it was sent. It may have arrived. The program checks, and sends nothing twice.</source>
<translation>La connexion a été coupée pendant l’envoi. La modification est peut-être arrivée. Le programme vérifie, et n’envoie rien deux fois.</translation>
</message>
<message>
<source>The connection follows a profile, and nothing is guessed: {named}.</source>
<translation>La connexion suit un profil, et rien n’est deviné : {named}.</translation>
</message>
<message>
<source>The connection follows the profile {named}, from which the service’s own document differs: {differences}.</source>
<translation>La connexion suit le profil {named}, dont le document du service diffère : {differences}.</translation>
</message>
<message>
<source>The connection to {host} broke before the answer came.</source>
<translation>La connexion à {host} a été coupée avant l’arrivée de la réponse.</translation>
</message>
<message>
<source>The connection’s CA file cannot be read: {path}.</source>
<translation>Le fichier CA de la connexion ne peut pas être lu : {path}.</translation>
</message>
<message>
<source>The connection’s CA file holds no certificate: {path}.</source>
<translation>Le fichier CA de la connexion ne contient aucun certificat : {path}.</translation>
</message>
<message>
<source>The connection’s CA file is gone: {path}.</source>
<translation>Le fichier CA de la connexion a disparu : {path}.</translation>
</message>
<message>
<source>The connection’s CA file is too large: {path}.</source>
<translation>Le fichier CA de la connexion est trop grand : {path}.</translation>
</message>
<message>
<source>The corrections will be lost.</source>
<translation>Les corrections seront perdues.</translation>
</message>
<message>
<source>The data and the keys of your shops are still here.</source>
<translation>Les données et les clés de vos magasins sont toujours là.</translation>
</message>
<message>
<source>The data check no longer finds it: left out</source>
<translation>Le contrôle des données ne le trouve plus : écarté</translation>
</message>
<message>
<source>The dates can be read in two ways: 03/04 is 3 April or 4 March. Choose how they are written.</source>
<translation>Les dates peuvent se lire de deux façons : 03/04 est le 3 avril ou le 4 mars. Choisissez comment elles sont écrites.</translation>
</message>
<message>
<source>The demo shop did not start.</source>
<translation>Le magasin de démonstration n’a pas démarré.</translation>
</message>
<message>
<source>The disk is full.</source>
<translation>Le disque est plein.</translation>
</message>
<message>
<source>The document calls it {note}.</source>
<translation>Le document l’appelle {note}.</translation>
</message>
<message>
<source>The document is the one that the service publishes: {name}.</source>
<translation>Le document est celui que publie le service : {name}.</translation>
</message>
<message>
<source>The document is the one that was chosen for this connection: {name}.</source>
<translation>Le document est celui qui a été choisi pour cette connexion : {name}.</translation>
</message>
<message>
<source>The field is a guess by its name. Choose its name first, so that {shop} gets what you mean (File &gt; Operations &gt; Fields).</source>
<translation>Ce champ est deviné d’après son nom. Choisissez d’abord son nom, pour que le magasin {shop} reçoive ce que vous voulez dire (Fichier &gt; Opérations &gt; Champs).</translation>
</message>
<message>
<source>The file does not have this encoding. Choose another one.</source>
<translation>Le fichier n’a pas cet encodage. Choisissez-en un autre.</translation>
</message>
<message>
<source>The file has more than {n} cells. Leave out columns that are not needed, or split it, and import the parts.</source>
<translation>Le fichier a plus de {n} cellules. Retirez les colonnes inutiles, ou divisez-le et importez les parties.</translation>
</message>
<message>
<source>The file has more than {n} columns. Leave out those that are not needed.</source>
<translation>Le fichier a plus de {n} colonnes. Retirez celles qui sont inutiles.</translation>
</message>
<message>
<source>The file has more than {n} rows. Split it, and import the parts.</source>
<translation>Le fichier a plus de {n} lignes. Divisez-le, et importez les parties.</translation>
</message>
<message>
<source>The file of pauses and request counts is gone: {file}.</source>
<translation>Le fichier des pauses et des comptes de requêtes a disparu : {file}.</translation>
</message>
<message>
<source>The file of pauses and request counts was damaged. It is kept as {file}.</source>
<translation>Le fichier des pauses et des comptes de requêtes était endommagé. Il est conservé sous le nom {file}.</translation>
</message>
<message>
<source>The file of settings and connections was damaged. It is kept as {file}.</source>
<translation>Le fichier des préférences et des connexions était endommagé. Il est conservé sous le nom {file}.</translation>
</message>
<message>
<source>The file of your bar codes was damaged. It is kept as {file}.</source>
<translation>Le fichier de vos codes-barres était endommagé. Il est conservé sous le nom {file}.</translation>
</message>
<message>
<source>The file of your changes is gone: {file}.</source>
<translation>Le fichier de vos modifications a disparu : {file}.</translation>
</message>
<message>
<source>The file of your changes was damaged. It is kept as {file}.</source>
<translation>Le fichier de vos modifications était endommagé. Il est conservé sous le nom {file}.</translation>
</message>
<message>
<source>The file of your earlier changes was damaged. It is kept as {file}.</source>
<translation>Le fichier de vos anciennes modifications était endommagé. Il est conservé sous le nom {file}.</translation>
</message>
<message>
<source>The file of your minimum stock was damaged. It is kept as {file}.</source>
<translation>Le fichier de vos stocks minimum était endommagé. Il est conservé sous le nom {file}.</translation>
</message>
<message numerus="yes">
<source>The file says that {n} of its rows are missing. Records that are not in it stay as they are.</source>
<translation>
<numerusform>Le fichier indique qu’il manque {n} de ses lignes. Les fiches qui n’y sont pas restent telles quelles.</numerusform>
<numerusform>Le fichier indique qu’il manque {n} de ses lignes. Les fiches qui n’y sont pas restent telles quelles.</numerusform>
</translation>
</message>
<message>
<source>The first moment is after the second one</source>
<translation>Le premier moment est après le second</translation>
</message>
<message>
<source>The first one: {reason}</source>
<translation>La première : {reason}</translation>
</message>
<message>
<source>The first {n} of {all}.</source>
<translation>Les {n} premières lignes sur {all}.</translation>
</message>
<message>
<source>The history begins on {time}: nothing is known of these days.</source>
<translation>L’historique commence le {time} : rien n’est connu de ces jours.</translation>
</message>
<message>
<source>The history begins with the first complete reading of the shop. Come back after it.</source>
<translation>L’historique commence avec la première lecture complète du magasin. Revenez ensuite.</translation>
</message>
<message>
<source>The history begins with the first reading.</source>
<translation>L’historique commence avec la première lecture.</translation>
</message>
<message>
<source>The history cannot be read</source>
<translation>L’historique ne peut pas être lu</translation>
</message>
<message>
<source>The history cannot be read: the report is made without it. {why}</source>
<translation>L’historique ne peut pas être lu : le rapport est établi sans lui. {why}</translation>
</message>
<message>
<source>The history does not go back so far</source>
<translation>L’historique ne remonte pas aussi loin</translation>
</message>
<message>
<source>The history of this shop cannot be recorded: {file} cannot be used.</source>
<translation>L’historique de ce magasin ne peut pas être consigné : {file} n’est pas utilisable.</translation>
</message>
<message>
<source>The history of this shop is gone: {file}.</source>
<translation>L’historique de ce magasin a disparu : {file}.</translation>
</message>
<message>
<source>The history of this shop was damaged. It is kept as {file}.</source>
<translation>L’historique de ce magasin était endommagé. Il est conservé sous le nom {file}.</translation>
</message>
<message>
<source>The key contains characters that cannot be sent. Nothing was sent.</source>
<translation>La clé contient des caractères qui ne peuvent pas être envoyés. Rien n’a été envoyé.</translation>
</message>
<message>
<source>The key is banned: unsent changes go out when the program is open after {time}.</source>
<translation>La clé est bloquée : les modifications non envoyées partiront quand le programme sera ouvert à partir de {time}.</translation>
</message>
<message>
<source>The key is longer than 16,384 characters, which no service takes. Nothing was sent.</source>
<translation>La clé dépasse 16 384 caractères, ce qu’aucun service n’accepte. Rien n’a été envoyé.</translation>
</message>
<message>
<source>The key is taken at {url}; at the address that you gave nothing asks for it.</source>
<translation>La clé est acceptée à {url} ; à l’adresse indiquée, rien ne la demande.</translation>
</message>
<message>
<source>The key may not read these lists: {lists}.</source>
<translation>La clé n’est pas autorisée à lire ces listes : {lists}.</translation>
</message>
<message>
<source>The key may not read this list: {lists}.</source>
<translation>La clé n’est pas autorisée à lire cette liste : {lists}.</translation>
</message>
<message>
<source>The keyring did not answer within five seconds, so there is no key; only the document was asked for.</source>
<translation>Le trousseau n’a pas répondu en cinq secondes, il n’y a donc pas de clé ; seul le document a été demandé.</translation>
</message>
<message>
<source>The keyring did not answer within five seconds.</source>
<translation>Le trousseau n’a pas répondu en cinq secondes.</translation>
</message>
<message>
<source>The keyring is locked, so there is no key; only the document was asked for.</source>
<translation>Le trousseau est verrouillé, il n’y a donc pas de clé ; seul le document a été demandé.</translation>
</message>
<message>
<source>The keyring is locked.</source>
<translation>Le trousseau est verrouillé.</translation>
</message>
<message>
<source>The keyring stopped while it was asked.</source>
<translation>Le trousseau s’est arrêté pendant qu’il était interrogé.</translation>
</message>
<message>
<source>The keyring took the key, but did not give it back.</source>
<translation>Le trousseau a pris la clé, mais ne l’a pas rendue.</translation>
</message>
<message>
<source>The keys are sent in these headers or parameters: {names}.</source>
<translation>Les clés sont envoyées dans ces en-têtes ou paramètres : {names}.</translation>
</message>
<message>
<source>The labels need {limit} mm; the sheet is lower.</source>
<translation>Les étiquettes demandent {limit} mm ; la feuille est moins haute.</translation>
</message>
<message>
<source>The labels need {limit} mm; the sheet is narrower.</source>
<translation>Les étiquettes demandent {limit} mm ; la feuille est moins large.</translation>
</message>
<message>
<source>The last act cannot be undone</source>
<translation>La dernière action ne peut pas être annulée</translation>
</message>
<message>
<source>The last requests of the minute are kept for what you ask for, and to read lists.</source>
<translation>Les dernières requêtes de la minute sont gardées pour ce que vous demandez et pour lire les listes.</translation>
</message>
<message>
<source>The last step of the count is undone</source>
<translation>La dernière étape du comptage est annulée</translation>
</message>
<message>
<source>The licence’s text is at {address}, the source of both at {source}.</source>
<translation>Le texte de la licence se trouve à l’adresse {address}, le code source des deux à {source}.</translation>
</message>
<message>
<source>The list has no record with the id {id}</source>
<translation>La liste n’a pas de fiche avec l’identifiant {id}</translation>
</message>
<message>
<source>The list loads when the network is back. Your edits are kept.</source>
<translation>La liste se chargera au retour du réseau. Vos modifications sont conservées.</translation>
</message>
<message>
<source>The list of earlier requests was damaged. It is kept as {file}.</source>
<translation>La liste des requêtes passées était endommagée. Elle est conservée sous le nom {file}.</translation>
</message>
<message>
<source>The lists show what the service has. From now on, each change of this kind is looked at.</source>
<translation>Les listes montrent ce qu’a le service. Désormais, chaque modification de ce genre est vérifiée.</translation>
</message>
<message>
<source>The longest name</source>
<translation>Le nom le plus long</translation>
</message>
<message>
<source>The longest name, twice as large</source>
<translation>Le nom le plus long, deux fois plus grand</translation>
</message>
<message>
<source>The name in this program.</source>
<translation>Le nom dans ce programme.</translation>
</message>
<message>
<source>The network may be slow, or a firewall in between.</source>
<translation>Le réseau est peut-être lent, ou un pare-feu fait obstacle.</translation>
</message>
<message>
<source>The new key is used at once for all unsent changes.</source>
<translation>La nouvelle clé est utilisée aussitôt pour toutes les modifications non envoyées.</translation>
</message>
<message>
<source>The next one is free at {time}.</source>
<translation>La prochaine sera libre à {time}.</translation>
</message>
<message>
<source>The numbers can be read in two ways: 1.200 is twelve hundred, or 1 and a fraction. Choose how they are written.</source>
<translation>Les nombres peuvent se lire de deux façons : 1.200 est mille deux cents, ou 1 et des décimales. Choisissez comment ils sont écrits.</translation>
</message>
<message>
<source>The order for {pet}</source>
<translation>La commande portant sur {pet}</translation>
</message>
<message>
<source>The order for {quantity} {pet}</source>
<translation>La commande de {quantity} {pet}</translation>
</message>
<message>
<source>The orders</source>
<translation>Les commandes</translation>
</message>
<message>
<source>The orders are not all on this computer, and all are needed to tell.</source>
<translation>Les commandes ne sont pas toutes sur cet ordinateur, et il les faut toutes pour le savoir.</translation>
</message>
<message>
<source>The other tabs work. If the list has another name, choose it in File &gt; Operations.</source>
<translation>Les autres onglets fonctionnent. Si la liste a un autre nom, choisissez-la dans Fichier &gt; Opérations.</translation>
</message>
<message>
<source>The outbox is empty</source>
<translation>La boîte d’envoi est vide</translation>
</message>
<message>
<source>The part of the program that talks to the service has ended.</source>
<translation>La partie du programme qui communique avec le service s’est arrêtée.</translation>
</message>
<message>
<source>The pause could not be saved, the disk may be full: keep the window open until it ends.</source>
<translation>La pause n’a pas pu être enregistrée, le disque est peut-être plein : gardez la fenêtre ouverte jusqu’à la fin.</translation>
</message>
<message>
<source>The pet becomes {status}.</source>
<translation>L’animal passe au statut « {status} ».</translation>
</message>
<message>
<source>The pets</source>
<translation>Les animaux</translation>
</message>
<message>
<source>The pets are not all on this computer, and all are needed to tell.</source>
<translation>Les animaux ne sont pas tous sur cet ordinateur, et il les faut tous pour le savoir.</translation>
</message>
<message>
<source>The pets are still being read. Scan {code} again in a moment.</source>
<translation>La lecture des animaux est en cours. Scannez de nouveau {code} dans un instant.</translation>
</message>
<message>
<source>The profile cannot be followed: {where}: {why}.</source>
<translation>Le profil ne peut pas être suivi : {where} : {why}.</translation>
</message>
<message>
<source>The profile is followed. Ask the service’s provider which is right, and correct the profile if it is not.</source>
<translation>Le profil est suivi. Demandez au fournisseur du service ce qui est juste, et corrigez le profil s’il ne l’est pas.</translation>
</message>
<message>
<source>The profile is in {file}.</source>
<translation>Le profil est dans {file}.</translation>
</message>
<message>
<source>The profile says so.</source>
<translation>C’est ce que dit le profil.</translation>
</message>
<message>
<source>The program could not start.</source>
<translation>Le programme n’a pas pu démarrer.</translation>
</message>
<message>
<source>The program does not follow: neither the request nor the key was sent there.</source>
<translation>Le programme ne suit pas : ni la requête ni la clé n’y ont été envoyées.</translation>
</message>
<message>
<source>The program does not follow: nothing was sent there.</source>
<translation>Le programme ne suit pas : rien n’y a été envoyé.</translation>
</message>
<message>
<source>The program needs an id in each record, and the field names of the specification. Ask the service’s provider for such an address, or choose another list in File &gt; Operations.</source>
<translation>Le programme a besoin d’un identifiant dans chaque fiche, et des noms de champs de la spécification. Demandez une telle adresse au fournisseur du service, ou choisissez une autre liste dans Fichier &gt; Opérations.</translation>
</message>
<message>
<source>The program obeys every “wait”.</source>
<translation>Le programme respecte chaque « attendez ».</translation>
</message>
<message>
<source>The program reads {endpoint}, because of the fields of its answer. Its path does not name what it is, so nothing is changed there unless you choose it.</source>
<translation>Le programme lit {endpoint}, d’après les champs de sa réponse. Son chemin n’indique pas de quoi il s’agit : rien n’y est donc modifié tant que vous ne l’avez pas choisi.</translation>
</message>
<message>
<source>The program sends one at a time and obeys every “wait”.</source>
<translation>Le programme en envoie une à la fois et respecte chaque « attendez ».</translation>
</message>
<message>
<source>The program that answers at {host} is not a web service.</source>
<translation>Le programme qui répond sur {host} n’est pas un service web.</translation>
</message>
<message>
<source>The program tries again by itself.</source>
<translation>Le programme réessaie de lui-même.</translation>
</message>
<message>
<source>The program uses {endpoint}, because you chose it.</source>
<translation>Le programme utilise {endpoint}, parce que vous l’avez choisi.</translation>
</message>
<message>
<source>The program uses {endpoint}: its path, and what it takes and answers, fit.</source>
<translation>Le programme utilise {endpoint} : son chemin, ce qu’il attend et ce qu’il répond conviennent.</translation>
</message>
<message>
<source>The proxy that is set on this computer cannot be reached: {proxy}.</source>
<translation>Le proxy de cet ordinateur ne peut pas être joint : {proxy}.</translation>
</message>
<message>
<source>The proxy that is set on this computer cannot be used by the program: {proxy}.</source>
<translation>Le programme ne peut pas utiliser le proxy de cet ordinateur : {proxy}.</translation>
</message>
<message>
<source>The proxy {proxy} blocks {host}.</source>
<translation>Le proxy {proxy} interdit l’accès à {host}.</translation>
</message>
<message>
<source>The proxy {proxy} cannot reach {host}.</source>
<translation>Le proxy {proxy} ne parvient pas à joindre {host}.</translation>
</message>
<message>
<source>The proxy {proxy} did not let the request through to {host}.</source>
<translation>Le proxy {proxy} n’a pas laissé passer la requête vers {host}.</translation>
</message>
<message>
<source>The proxy {proxy} is not trusted: no secure connection to it is possible.</source>
<translation>Le proxy {proxy} n’est pas reconnu : aucune connexion sécurisée n’est possible avec lui.</translation>
</message>
<message>
<source>The proxy {proxy} needs a user name and password, or rejects those that are set.</source>
<translation>Le proxy {proxy} demande un nom d’utilisateur et un mot de passe, ou rejette ceux qui sont définis.</translation>
</message>
<message>
<source>The record is there, once. No other one is made before you send one again.</source>
<translation>La fiche existe, une seule fois. Aucune autre n’est créée tant que vous n’en renvoyez pas une.</translation>
</message>
<message>
<source>The record was changed elsewhere in the meantime: {said}.</source>
<translation>La fiche a été modifiée ailleurs entre-temps : {said}.</translation>
</message>
<message>
<source>The rehearsal opens in a window of its own.</source>
<translation>La simulation s’ouvre dans une fenêtre distincte.</translation>
</message>
<message>
<source>The rehearsal’s shop has stopped</source>
<translation>Le magasin de la simulation s’est arrêté</translation>
</message>
<message>
<source>The requests that the key allows are used up until {until}. Nothing is sent before.</source>
<translation>Les requêtes que permet la clé sont épuisées jusqu’à {until}. Rien n’est envoyé avant.</translation>
</message>
<message>
<source>The rest of today’s requests is kept for you.</source>
<translation>Le reste des requêtes d’aujourd’hui est gardé pour vous.</translation>
</message>
<message>
<source>The rest of today’s requests is kept for you: changes go out when the program is open after {time}.</source>
<translation>Le reste des requêtes d’aujourd’hui est gardé pour vous : les modifications partent quand le programme est ouvert après {time}.</translation>
</message>
<message>
<source>The rest works.</source>
<translation>Le reste fonctionne.</translation>
</message>
<message>
<source>The rows have a new order: of {n} selected rows, only the current cell is still selected.</source>
<translation>L’ordre des lignes a changé : des {n} lignes sélectionnées, seule la cellule active reste sélectionnée.</translation>
</message>
<message>
<source>The same</source>
<translation>Identiques</translation>
</message>
<message>
<source>The same number of each</source>
<translation>Même nombre pour tous</translation>
</message>
<message>
<source>The same record as in row {row}.</source>
<translation>La même fiche qu’à la ligne {row}.</translation>
</message>
<message>
<source>The second moment can be the present one at most.</source>
<translation>Le second moment peut être au plus tard maintenant.</translation>
</message>
<message>
<source>The service accepted it, to be done later. When the record was last looked at, it was not done yet.</source>
<translation>Le service l’a accepté pour le faire plus tard. La dernière fois que la fiche a été lue, ce n’était pas encore fait.</translation>
</message>
<message>
<source>The service allows no more in a minute.</source>
<translation>Le service n’en permet pas plus par minute.</translation>
</message>
<message numerus="yes">
<source>The service allows {n} in a minute.</source>
<translation>
<numerusform>Le service en permet {n} par minute.</numerusform>
<numerusform>Le service en permet {n} par minute.</numerusform>
</translation>
</message>
<message>
<source>The service also demands {names}; it gets {values}.</source>
<translation>Le service exige aussi {names} ; il reçoit {values}.</translation>
</message>
<message>
<source>The service answered with record {id}, which existed before. Check that record: it may be overwritten.</source>
<translation>Le service a répondu avec la fiche {id}, qui existait déjà. Vérifiez cette fiche : elle est peut-être écrasée.</translation>
</message>
<message>
<source>The service answered {said}.</source>
<translation>Le service a répondu : {said}.</translation>
</message>
<message>
<source>The service answers without a key.</source>
<translation>Le service répond sans clé.</translation>
</message>
<message>
<source>The service asked to wait until {until}, which is unusually long: {message}. Nothing is sent before.</source>
<translation>Le service a demandé d’attendre jusqu’à {until}, ce qui est inhabituellement long : {message}. Rien n’est envoyé avant.</translation>
</message>
<message>
<source>The service asked to wait until {until}: {message}. Nothing is sent before.</source>
<translation>Le service a demandé d’attendre jusqu’à {until} : {message}. Rien n’est envoyé avant.</translation>
</message>
<message>
<source>The service asks to wait: {said}.</source>
<translation>Le service demande d’attendre : {said}.</translation>
</message>
<message>
<source>The service calls it beta: it may change.</source>
<translation>Selon le service, elle est en version bêta : elle peut changer.</translation>
</message>
<message>
<source>The service calls it experimental: it may change or go.</source>
<translation>Selon le service, elle est expérimentale : elle peut changer ou disparaître.</translation>
</message>
<message>
<source>The service calls this beta: it may change.</source>
<translation>Selon le service, cette opération est en version bêta : elle peut changer.</translation>
</message>
<message>
<source>The service calls this experimental: it may change or go.</source>
<translation>Selon le service, cette opération est expérimentale : elle peut changer ou disparaître.</translation>
</message>
<message>
<source>The service cannot be reached</source>
<translation>Le service ne peut pas être joint</translation>
</message>
<message>
<source>The service cannot be reached since {time}.</source>
<translation>Le service ne peut pas être joint depuis {time}.</translation>
</message>
<message>
<source>The service cannot do this now: {said}.</source>
<translation>Le service ne peut pas faire cela maintenant : {said}.</translation>
</message>
<message>
<source>The service could not be asked about the new key. It is kept, and tried when the service answers.</source>
<translation>Le service n’a pas pu être interrogé sur la nouvelle clé. Elle est conservée, et sera essayée quand le service répondra.</translation>
</message>
<message>
<source>The service counts more than it shows.</source>
<translation>Le service en compte plus qu’il n’en montre.</translation>
</message>
<message>
<source>The service did not find this: the record is gone, or the way to it ({request}), which was to be removed on {day}.</source>
<translation>Le service n’a rien trouvé : la fiche n’existe plus, ou l’accès à celle-ci ({request}), qui devait être supprimé le {day}.</translation>
</message>
<message>
<source>The service does not accept the key</source>
<translation>Le service n’accepte pas la clé</translation>
</message>
<message>
<source>The service does not accept the key {key}, which it wants for some operations: {message}.</source>
<translation>Le service n’accepte pas la clé {key}, qu’il demande pour certaines opérations : {message}.</translation>
</message>
<message>
<source>The service does not accept the key {key}: {message}.</source>
<translation>Le service n’accepte pas la clé {key} : {message}.</translation>
</message>
<message>
<source>The service does not accept the key {key}: {said}.</source>
<translation>Le service n’accepte pas la clé {key} : {said}.</translation>
</message>
<message>
<source>The service does not accept the key: unsent changes go out once a key works.</source>
<translation>Le service n’accepte pas la clé : les modifications non envoyées partiront dès qu’une clé fonctionnera.</translation>
</message>
<message>
<source>The service does not accept the key: {message}.</source>
<translation>Le service n’accepte pas la clé : {message}.</translation>
</message>
<message>
<source>The service does not accept the key: {said}.</source>
<translation>Le service n’accepte pas la clé : {said}.</translation>
</message>
<message>
<source>The service does not have these lists: {lists}.</source>
<translation>Le service n’a pas ces listes : {lists}.</translation>
</message>
<message>
<source>The service does not have this list: {lists}.</source>
<translation>Le service n’a pas cette liste : {lists}.</translation>
</message>
<message>
<source>The service does not let this key read anything: {message}.</source>
<translation>Le service ne permet à cette clé de rien lire : {message}.</translation>
</message>
<message>
<source>The service does not report it: ≈ is this computer’s own count, without other computers.</source>
<translation>Le service n’en rend pas compte : ≈ est le décompte de cet ordinateur, sans les autres ordinateurs.</translation>
</message>
<message>
<source>The service does not report the day: this is this computer’s own count.</source>
<translation>Le service ne rend pas compte de la journée : c’est le décompte de cet ordinateur.</translation>
</message>
<message>
<source>The service does not say how many requests are left.</source>
<translation>Le service n’indique pas combien de requêtes il reste.</translation>
</message>
<message>
<source>The service does not say how many requests it allows a day.</source>
<translation>Le service n’indique pas combien de requêtes il permet par jour.</translation>
</message>
<message>
<source>The service does not say how many requests it allows a minute.</source>
<translation>Le service n’indique pas combien de requêtes il permet par minute.</translation>
</message>
<message>
<source>The service does not say when there are more.</source>
<translation>Le service n’indique pas quand il y en aura d’autres.</translation>
</message>
<message>
<source>The service does not say which orders are open, and so not which are overdue.</source>
<translation>Le service ne dit pas quelles commandes sont ouvertes, ni donc lesquelles sont en retard.</translation>
</message>
<message>
<source>The service does not tell its time.</source>
<translation>Le service n’indique pas l’heure.</translation>
</message>
<message>
<source>The service failed (status {status}): {message}.</source>
<translation>Le service a échoué (statut {status}) : {message}.</translation>
</message>
<message>
<source>The service failed: {said}.</source>
<translation>Le service a échoué : {said}.</translation>
</message>
<message>
<source>The service has banned this key for a while: {said}.</source>
<translation>Le service a bloqué cette clé pour un temps : {said}.</translation>
</message>
<message>
<source>The service has banned this key until {until}: {message}. Nothing is sent before.</source>
<translation>Le service a bloqué cette clé jusqu’à {until} : {message}. Rien n’est envoyé avant.</translation>
</message>
<message>
<source>The service has no list of categories. The program takes them from the pets at {endpoint}, which costs no request. A category without a pet is not shown.</source>
<translation>Le service n’a pas de liste de catégories. Le programme les prend dans les animaux ({endpoint}), ce qui ne coûte aucune requête. Une catégorie sans animal n’est pas affichée.</translation>
</message>
<message>
<source>The service has no such record any more: {said}.</source>
<translation>Le service n’a plus cette fiche : {said}.</translation>
</message>
<message>
<source>The service has not said how many.</source>
<translation>Le service n’a pas indiqué combien.</translation>
</message>
<message>
<source>The service has removed it.</source>
<translation>Le service l’a supprimée.</translation>
</message>
<message>
<source>The service has removed this ({request}) on {day}.</source>
<translation>Le service a supprimé cette opération ({request}) le {day}.</translation>
</message>
<message>
<source>The service is not at {given}, but at {url}.</source>
<translation>Le service n’est pas à l’adresse {given}, mais à l’adresse {url}.</translation>
</message>
<message>
<source>The service is slow</source>
<translation>Le service est lent</translation>
</message>
<message numerus="yes">
<source>The service is told to delete the orders, not to mark them as cancelled.</source>
<translation>
<numerusform>Le service reçoit l’ordre de supprimer les commandes, pas de les marquer comme annulées.</numerusform>
<numerusform>Le service reçoit l’ordre de supprimer les commandes, pas de les marquer comme annulées.</numerusform>
</translation>
</message>
<message>
<source>The service keeps its records below {scope}, and the address does not say which.</source>
<translation>Le service range ses fiches sous {scope}, et l’adresse n’en précise pas la valeur.</translation>
</message>
<message>
<source>The service may be down: try again later. Or its address has another port.</source>
<translation>Le service est peut-être arrêté : réessayez plus tard. Ou son adresse a un autre port.</translation>
</message>
<message numerus="yes">
<source>The service may delete their pets too, with stock and orders, and undo does not bring those back. Pets that stay name a deleted category:</source>
<translation>
<numerusform>Le service peut aussi supprimer ses animaux, avec leur stock et leurs commandes, et l’annulation ne les rétablit pas. Les animaux qui restent citeront une catégorie supprimée :</numerusform>
<numerusform>Le service peut aussi supprimer leurs animaux, avec leur stock et leurs commandes, et l’annulation ne les rétablit pas. Les animaux qui restent citeront une catégorie supprimée :</numerusform>
</translation>
</message>
<message numerus="yes">
<source>The service may delete their stock and orders too, and undo does not bring those back:</source>
<translation>
<numerusform>Le service peut aussi supprimer son stock et ses commandes, et l’annulation ne les rétablit pas :</numerusform>
<numerusform>Le service peut aussi supprimer leur stock et leurs commandes, et l’annulation ne les rétablit pas :</numerusform>
</translation>
</message>
<message>
<source>The service needs a key</source>
<translation>Le service a besoin d’une clé</translation>
</message>
<message>
<source>The service needs a key.</source>
<translation>Le service a besoin d’une clé.</translation>
</message>
<message>
<source>The service needs a key. Until then you can read and edit the data on this computer.</source>
<translation>Le service a besoin d’une clé. D’ici là, vous pouvez lire et modifier les données de cet ordinateur.</translation>
</message>
<message>
<source>The service needs values that its document does not give: {names}.</source>
<translation>Le service a besoin de valeurs que son document n’indique pas : {names}.</translation>
</message>
<message>
<source>The service publishes its OpenAPI document: {named}.</source>
<translation>Le service publie son document OpenAPI : {named}.</translation>
</message>
<message>
<source>The service publishes no document: the program’s own is used.</source>
<translation>Le service ne publie pas de document : celui du programme est utilisé.</translation>
</message>
<message>
<source>The service publishes none. It answers at the standard paths, so the nine standard operations are used.</source>
<translation>Le service n’en publie aucun. Il répond aux chemins standard : les neuf opérations standard sont utilisées.</translation>
</message>
<message>
<source>The service redirects in a circle: from {target} back to the same address.</source>
<translation>Le service redirige en boucle : de {target} vers la même adresse.</translation>
</message>
<message>
<source>The service redirects to another address: {target}.</source>
<translation>Le service redirige vers une autre adresse : {target}.</translation>
</message>
<message>
<source>The service redirects to {target}. The program does not follow, so that the key goes nowhere else.</source>
<translation>Le service redirige vers {target}. Le programme ne suit pas, pour que la clé n’aille nulle part ailleurs.</translation>
</message>
<message>
<source>The service redirects, but does not say where to.</source>
<translation>Le service redirige, mais n’indique pas vers où.</translation>
</message>
<message>
<source>The service refused this: {said}.</source>
<translation>Le service a refusé : {said}.</translation>
</message>
<message>
<source>The service refuses everything now and then</source>
<translation>Le service refuse tout par moments</translation>
</message>
<message>
<source>The service refuses the request (status {status}): {message}.</source>
<translation>Le service refuse la requête (statut {status}) : {message}.</translation>
</message>
<message>
<source>The service said no, and the stock is as with your {booked} all the same. Either it was done, or somebody else booked the same.</source>
<translation>Le service a refusé, et le stock est pourtant celui qu’aurait donné votre mouvement ({booked}). Soit ce mouvement a été fait, soit quelqu’un d’autre a fait le même.</translation>
</message>
<message>
<source>The service says “wait”. The program counts down and goes on by itself; you keep working.</source>
<translation>Le service dit « attendez ». Le programme décompte et reprend tout seul ; vous continuez à travailler.</translation>
</message>
<message>
<source>The service sent an empty answer instead of data.</source>
<translation>Le service a envoyé une réponse vide au lieu de données.</translation>
</message>
<message numerus="yes">
<source>The service sent {n} records that this program cannot read; they are safe there.</source>
<translation>
<numerusform>Le service a envoyé {n} fiche que ce programme ne peut pas lire ; elle y est en sécurité.</numerusform>
<numerusform>Le service a envoyé {n} fiches que ce programme ne peut pas lire ; elles y sont en sécurité.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>The service shows at most {n} in one answer. The others are not here.</source>
<translation>
<numerusform>Le service en montre au plus {n} par réponse. Les autres ne sont pas ici.</numerusform>
<numerusform>Le service en montre au plus {n} par réponse. Les autres ne sont pas ici.</numerusform>
</translation>
</message>
<message>
<source>The service states its limits in a form that cannot be used: {header}.</source>
<translation>Le service indique ses limites sous une forme inutilisable : {header}.</translation>
</message>
<message>
<source>The service takes no requests for {left}</source>
<translation>Le service n’accepte pas de requêtes, encore {left}</translation>
</message>
<message>
<source>The service takes requests only so quickly, or has just failed.</source>
<translation>Le service n’accepte les requêtes qu’à ce rythme, ou vient d’échouer.</translation>
</message>
<message>
<source>The service takes the key.</source>
<translation>Le service accepte la clé.</translation>
</message>
<message>
<source>The service took the request, but did not answer in time.</source>
<translation>Le service a accepté la requête, mais n’a pas répondu à temps.</translation>
</message>
<message>
<source>The service wants another key too: {key}.</source>
<translation>Le service demande aussi une autre clé : {key}.</translation>
</message>
<message>
<source>The service wants several keys. Put each where it belongs.</source>
<translation>Le service demande plusieurs clés. Entrez chacune à sa place.</translation>
</message>
<message>
<source>The service will withdraw it.</source>
<translation>Le service la retirera.</translation>
</message>
<message>
<source>The service withdraws it after {day}.</source>
<translation>Le service la retirera après le {day}.</translation>
</message>
<message>
<source>The service’s OpenAPI document cannot be used.</source>
<translation>Le document OpenAPI du service n’est pas utilisable.</translation>
</message>
<message>
<source>The service’s answer did not show that it was done. The program looks, and sends nothing twice.</source>
<translation>La réponse du service n’a pas montré que c’est fait. Le programme vérifie, et n’envoie rien deux fois.</translation>
</message>
<message>
<source>The service’s clock and this computer’s agree.</source>
<translation>L’horloge du service et celle de cet ordinateur concordent.</translation>
</message>
<message>
<source>The service’s clock is {ahead}</source>
<translation>L’horloge du service est {ahead}</translation>
</message>
<message>
<source>The service’s clock is {length} {way} this computer’s.</source>
<translation>L’horloge du service {way} de {length} par rapport à celle de cet ordinateur.</translation>
</message>
<message>
<source>The service’s document has no operation for this.</source>
<translation>Le document du service n’a pas d’opération pour cela.</translation>
</message>
<message>
<source>The service’s own document differs from the profile that this connection follows: {differences}.</source>
<translation>Le document du service diffère du profil que suit cette connexion : {differences}.</translation>
</message>
<message>
<source>The service’s provider must turn on TLS 1.2 or later.</source>
<translation>Le fournisseur du service doit activer TLS 1.2 ou une version ultérieure.</translation>
</message>
<message>
<source>The shop has not been read since {time}.</source>
<translation>Le magasin n’a pas été lu depuis {time}.</translation>
</message>
<message>
<source>The shop reopens with the new settings. Unsent changes are kept.</source>
<translation>Le magasin se rouvre avec les nouveaux paramètres. Les modifications non envoyées sont conservées.</translation>
</message>
<message>
<source>The status of a stock entry is set by the service.</source>
<translation>Le statut d’une fiche de stock est fixé par le service.</translation>
</message>
<message>
<source>The stock</source>
<translation>Le stock</translation>
</message>
<message>
<source>The stock at the end of these days is not known.</source>
<translation>On ne connaît pas le stock à la fin de ces jours.</translation>
</message>
<message>
<source>The stock is not all on this computer, and all of it is needed to tell.</source>
<translation>Le stock n’est pas entièrement sur cet ordinateur, et il le faut en entier pour le savoir.</translation>
</message>
<message>
<source>The stock of new pets is left out.</source>
<translation>Le stock des nouveaux animaux est écarté.</translation>
</message>
<message>
<source>The stock of this pet has not been read.</source>
<translation>Le stock de cet animal n’a pas été lu.</translation>
</message>
<message>
<source>The stock of {name} is no longer there</source>
<translation>Ce stock n’existe plus : {name}</translation>
</message>
<message numerus="yes">
<source>The stock of {n} new pets is left out.</source>
<translation>
<numerusform>Le stock de {n} nouvel animal est écarté.</numerusform>
<numerusform>Le stock de {n} nouveaux animaux est écarté.</numerusform>
</translation>
</message>
<message>
<source>The texts of all licences, what each is for, where the source of Qt is and how it is replaced: {folder}</source>
<translation>Les textes de toutes les licences, ce que chacune couvre, où se trouve le code source de Qt et comment le remplacer : {folder}</translation>
</message>
<message>
<source>The view {name} is deleted</source>
<translation>La vue {name} est supprimée</translation>
</message>
<message>
<source>The wait is over: a test request checks whether sending may resume</source>
<translation>L’attente est finie : une requête de test vérifie si l’envoi peut reprendre</translation>
</message>
<message>
<source>The&amp;n by this, descending</source>
<translation>Tri secondaire &amp;décroissant</translation>
</message>
<message>
<source>Theirs</source>
<translation>Leur valeur</translation>
</message>
<message>
<source>Theirs may include it already. Keep mine adds it to theirs.</source>
<translation>Leur valeur l’inclut peut-être déjà. « Garder la mienne » l’ajoute à la leur.</translation>
</message>
<message>
<source>Theme</source>
<translation>Thème</translation>
</message>
<message>
<source>Then</source>
<translation>Avant</translation>
</message>
<message>
<source>Then print labels</source>
<translation>Puis les étiquettes</translation>
</message>
<message>
<source>Then → Now</source>
<translation>Avant → maintenant</translation>
</message>
<message>
<source>There are no categories; the pets get none.</source>
<translation>Il n’y a pas de catégories ; les animaux n’en auront pas.</translation>
</message>
<message>
<source>There are no labels to print.</source>
<translation>Il n’y a pas d’étiquettes à imprimer.</translation>
</message>
<message>
<source>There is a document, but {url} has none of the paths that it names.</source>
<translation>Il y a un document, mais {url} n’a aucun des chemins qu’il cite.</translation>
</message>
<message>
<source>There is no category #{id}.</source>
<translation>Il n’y a pas de catégorie #{id}.</translation>
</message>
<message>
<source>There is no category {id} at the service</source>
<translation>Le service n’a pas de catégorie {id}</translation>
</message>
<message>
<source>There is no category {name}.</source>
<translation>Il n’y a pas de catégorie {name}.</translation>
</message>
<message>
<source>There is no column with ids: every row is a new record.</source>
<translation>Il n’y a pas de colonne d’identifiants : chaque ligne est une nouvelle fiche.</translation>
</message>
<message>
<source>There is no computer called {host}.</source>
<translation>Aucun ordinateur ne s’appelle {host}.</translation>
</message>
<message>
<source>There is no connection yet. {command} makes one.</source>
<translation>Il n’y a pas encore de connexion. {command} en crée une.</translation>
</message>
<message>
<source>There is no history yet</source>
<translation>Il n’y a pas encore d’historique</translation>
</message>
<message>
<source>There is no history yet: what was before is not known.</source>
<translation>Il n’y a pas encore d’historique : on ne sait pas ce qu’il en était avant.</translation>
</message>
<message>
<source>There is no key for this connection, so nothing else was checked.</source>
<translation>Il n’y a pas de clé pour cette connexion ; rien d’autre n’a donc été vérifié.</translation>
</message>
<message>
<source>There is no key yet, so nothing is sent (File &gt; Change key).</source>
<translation>Il n’y a pas encore de clé, donc rien n’est envoyé (Fichier &gt; Changer la clé).</translation>
</message>
<message>
<source>There is no order {id} at the service</source>
<translation>Le service n’a pas de commande {id}</translation>
</message>
<message>
<source>There is no pet #{id}.</source>
<translation>Il n’y a pas d’animal #{id}.</translation>
</message>
<message>
<source>There is no pet {id} at the service</source>
<translation>Le service n’a pas d’animal {id}</translation>
</message>
<message>
<source>There is no pet {name}.</source>
<translation>Il n’y a pas d’animal {name}.</translation>
</message>
<message>
<source>There is no record #{id}. Leave the id empty for a new one.</source>
<translation>Il n’y a pas de fiche #{id}. Laissez l’identifiant vide pour une nouvelle fiche.</translation>
</message>
<message>
<source>There is no stock entry for this pet.</source>
<translation>Cet animal n’a pas de fiche de stock.</translation>
</message>
<message>
<source>There is no stock of pet {id} at the service</source>
<translation>Le service n’a pas de stock pour l’animal {id}</translation>
</message>
<message>
<source>There is no stock.</source>
<translation>Il n’y a pas de stock.</translation>
</message>
<message>
<source>There is no such category.</source>
<translation>Cette catégorie n’existe pas.</translation>
</message>
<message>
<source>There is no such file: {file}.</source>
<translation>Ce fichier n’existe pas : {file}.</translation>
</message>
<message>
<source>There is no such folder: {file}.</source>
<translation>Ce dossier n’existe pas : {file}.</translation>
</message>
<message>
<source>There is no such pet.</source>
<translation>Cet animal n’existe pas.</translation>
</message>
<message>
<source>There is no such status.</source>
<translation>Ce statut n’existe pas.</translation>
</message>
<message>
<source>There is no view in the file</source>
<translation>Le fichier ne contient aucune vue</translation>
</message>
<message>
<source>There is no view with the key {key}.</source>
<translation>Aucune vue n’a le raccourci {key}.</translation>
</message>
<message>
<source>There is none yet; this one is added with the pets.</source>
<translation>Il n’y en a pas encore ; celle-ci est ajoutée avec les animaux.</translation>
</message>
<message>
<source>There is nothing left of it to redo</source>
<translation>Il n’en reste rien à rétablir</translation>
</message>
<message>
<source>There is nothing left of it to undo</source>
<translation>Il n’en reste rien à annuler</translation>
</message>
<message>
<source>There is nothing left to correct here.</source>
<translation>Il n’y a plus rien à corriger ici.</translation>
</message>
<message>
<source>There is nothing to go back to.</source>
<translation>Il n’y a pas d’étape précédente.</translation>
</message>
<message>
<source>There is nothing to go forward to.</source>
<translation>Il n’y a pas d’étape suivante.</translation>
</message>
<message>
<source>There is nothing to keep: no change was made that went well.</source>
<translation>Il n’y a rien à conserver : aucune modification n’a abouti.</translation>
</message>
<message>
<source>There is nothing to redo.</source>
<translation>Il n’y a rien à rétablir.</translation>
</message>
<message>
<source>There is nothing to undo.</source>
<translation>Il n’y a rien à annuler.</translation>
</message>
<message>
<source>There is stock for all open orders</source>
<translation>Il y a du stock pour toutes les commandes ouvertes</translation>
</message>
<message>
<source>These lists cannot be read: {lists}.</source>
<translation>Ces listes ne peuvent pas être lues : {lists}.</translation>
</message>
<message>
<source>They are in the list, as the service has them. Nothing is deleted again by itself.</source>
<translation>Elles sont dans la liste, telles que le service les a. Rien n’est supprimé de nouveau tout seul.</translation>
</message>
<message>
<source>They are kept, and are not sent to this service.</source>
<translation>Elles sont conservées, et ne sont pas envoyées à ce service.</translation>
</message>
<message numerus="yes">
<source>They go out at the next start ({minutes}).</source>
<translation>
<numerusform>Elle partira au prochain démarrage ({minutes}).</numerusform>
<numerusform>Elles partiront au prochain démarrage ({minutes}).</numerusform>
</translation>
</message>
<message numerus="yes">
<source>They go out at the next start.</source>
<translation>
<numerusform>Elle partira au prochain démarrage.</numerusform>
<numerusform>Elles partiront au prochain démarrage.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>They go out once you have entered the key again: this computer has no keyring that keeps it.</source>
<translation>
<numerusform>Elles partent quand vous aurez entré de nouveau la clé : cet ordinateur n’a pas de trousseau qui la garde.</numerusform>
<numerusform>Elles partent quand vous aurez entré de nouveau la clé : cet ordinateur n’a pas de trousseau qui la garde.</numerusform>
</translation>
</message>
<message>
<source>This address belongs to another server than the service’s own.</source>
<translation>Cette adresse appartient à un autre serveur que celui du service.</translation>
</message>
<message>
<source>This cannot be checked now</source>
<translation>Impossible à vérifier pour le moment</translation>
</message>
<message>
<source>This cannot be edited.</source>
<translation>Modification impossible.</translation>
</message>
<message>
<source>This cannot be understood.</source>
<translation>Impossible à comprendre.</translation>
</message>
<message>
<source>This cannot be understood: {text}</source>
<translation>Impossible à comprendre : {text}</translation>
</message>
<message>
<source>This cannot be undone.</source>
<translation>Cela ne peut pas être annulé.</translation>
</message>
<message>
<source>This code cannot be remembered yet</source>
<translation>Ce code ne peut pas encore être retenu</translation>
</message>
<message>
<source>This computer first read the whole shop on {time}; nothing is known from before.</source>
<translation>Première lecture complète du magasin sur cet ordinateur : {time} ; rien n’est connu avant.</translation>
</message>
<message>
<source>This computer has no keyring that can store a key.</source>
<translation>Cet ordinateur n’a pas de trousseau de clés où conserver une clé.</translation>
</message>
<message>
<source>This computer has no keyring that keeps secrets, so there is no key; only the document was asked for.</source>
<translation>Cet ordinateur n’a pas de trousseau qui garde les secrets, il n’y a donc pas de clé ; seul le document a été demandé.</translation>
</message>
<message>
<source>This computer has no printer. Save a PDF instead.</source>
<translation>Cet ordinateur n’a pas d’imprimante. Enregistrez plutôt un PDF.</translation>
</message>
<message numerus="yes">
<source>This computer sent about {n} of them, other programs with the same key the rest.</source>
<translation>
<numerusform>Cet ordinateur en a envoyé environ {n} ; le reste vient d’autres programmes avec la même clé.</numerusform>
<numerusform>Cet ordinateur en a envoyé environ {n} ; le reste vient d’autres programmes avec la même clé.</numerusform>
</translation>
</message>
<message>
<source>This computer trusts the certificate.</source>
<translation>Cet ordinateur fait confiance au certificat.</translation>
</message>
<message>
<source>This computer’s keyring refused the request.</source>
<translation>Le trousseau de cet ordinateur a refusé la demande.</translation>
</message>
<message>
<source>This computer’s time; the service’s clock is {ahead}.</source>
<translation>Heure de cet ordinateur ; l’horloge du service est {ahead}.</translation>
</message>
<message>
<source>This connection is read-only (File &gt; Connection settings).</source>
<translation>Cette connexion est en lecture seule (Fichier &gt; Paramètres de la connexion).</translation>
</message>
<message>
<source>This could not be checked.</source>
<translation>Cela n’a pas pu être vérifié.</translation>
</message>
<message>
<source>This count is closed. Begin a new one to count.</source>
<translation>Ce comptage est clos. Commencez-en un nouveau pour compter.</translation>
</message>
<message>
<source>This date can be read in two ways.</source>
<translation>Cette date peut se lire de deux façons.</translation>
</message>
<message>
<source>This date cannot be read. The service wrote: {raw}</source>
<translation>Cette date ne peut pas être lue. Le service a écrit : {raw}</translation>
</message>
<message>
<source>This day is still to come.</source>
<translation>Ce jour est encore à venir.</translation>
</message>
<message>
<source>This file is empty.</source>
<translation>Ce fichier est vide.</translation>
</message>
<message>
<source>This file is too large. Nothing was imported. Split it, and import the parts.</source>
<translation>Ce fichier est trop grand. Rien n’a été importé. Divisez-le, et importez les parties.</translation>
</message>
<message>
<source>This is a PDF, not a table.</source>
<translation>C’est un PDF, pas un tableau.</translation>
</message>
<message>
<source>This is a compressed file. Unpack it, and import the table in it.</source>
<translation>C’est un fichier compressé. Décompressez-le, et importez le tableau qu’il contient.</translation>
</message>
<message>
<source>This is a database, not a table.</source>
<translation>C’est une base de données, pas un tableau.</translation>
</message>
<message>
<source>This is a picture, not a table.</source>
<translation>C’est une image, pas un tableau.</translation>
</message>
<message>
<source>This is a program, not a table.</source>
<translation>C’est un programme, pas un tableau.</translation>
</message>
<message>
<source>This is before the first day.</source>
<translation>C’est avant le premier jour.</translation>
</message>
<message>
<source>This is being deleted.</source>
<translation>Suppression en cours.</translation>
</message>
<message>
<source>This is being sent and cannot be discarded now. What became of it is shown shortly.</source>
<translation>L’envoi est en cours : impossible d’abandonner maintenant. Le résultat s’affichera sous peu.</translation>
</message>
<message>
<source>This is less than the limit per minute. Please check.</source>
<translation>C’est moins que la limite par minute. Veuillez vérifier.</translation>
</message>
<message>
<source>This is not a complete file of bar codes: {file}.</source>
<translation>Ce n’est pas un fichier de codes-barres complet : {file}.</translation>
</message>
<message>
<source>This is not a complete file of views: {file}.</source>
<translation>Ce n’est pas un fichier de vues complet : {file}.</translation>
</message>
<message>
<source>This is not a text file, so it has no table to read.</source>
<translation>Ce n’est pas un fichier texte : il n’a pas de tableau à lire.</translation>
</message>
<message>
<source>This is not an OpenAPI document.</source>
<translation>Ce n’est pas un document OpenAPI.</translation>
</message>
<message>
<source>This is not an OpenAPI document: it does not say which version of OpenAPI it follows.</source>
<translation>Ce n’est pas un document OpenAPI : il n’indique pas quelle version d’OpenAPI il suit.</translation>
</message>
<message>
<source>This is not an id.</source>
<translation>Ce n’est pas un identifiant.</translation>
</message>
<message>
<source>This is not sent yet: there is nothing to ask the service for.</source>
<translation>Pas encore envoyé : il n’y a rien à demander au service.</translation>
</message>
<message>
<source>This is not the address of a service.</source>
<translation>Ce n’est pas l’adresse d’un service.</translation>
</message>
<message>
<source>This is not the address of a service. Nothing was sent.</source>
<translation>Ce n’est pas l’adresse d’un service. Rien n’a été envoyé.</translation>
</message>
<message>
<source>This is not the address of a service; one begins with https://.</source>
<translation>Ce n’est pas l’adresse d’un service ; elle commencerait par https://.</translation>
</message>
<message>
<source>This is unusually long: ask the service’s provider. The program waits.</source>
<translation>C’est inhabituellement long : demandez au fournisseur du service. Le programme attend.</translation>
</message>
<message>
<source>This is worked out. Enter the minimum and “Order up to” in the columns before it.</source>
<translation>Cette valeur est calculée. Saisissez le minimum et le niveau de commande dans les colonnes précédentes.</translation>
</message>
<message>
<source>This key contains characters that cannot be sent. Copy it again.</source>
<translation>Cette clé contient des caractères qui ne peuvent pas être envoyés. Copiez-la de nouveau.</translation>
</message>
<message>
<source>This key is banned already; another request may make the ban longer.</source>
<translation>Cette clé est déjà bloquée ; une requête de plus peut prolonger le blocage.</translation>
</message>
<message>
<source>This key is banned for a while. Another key for the same service waits as long.</source>
<translation>Cette clé est bloquée pour un temps. Une autre clé du même service attend aussi longtemps.</translation>
</message>
<message>
<source>This key is banned: nothing is sent before {time} (in {left})</source>
<translation>Cette clé est bloquée : rien n’est envoyé avant {time} (dans {left})</translation>
</message>
<message>
<source>This key is longer than 16,384 characters, which no service takes. Copy it again.</source>
<translation>Cette clé dépasse 16 384 caractères, ce qu’aucun service n’accepte. Copiez-la de nouveau.</translation>
</message>
<message>
<source>This key may not do this: {said}.</source>
<translation>Cette clé n’y est pas autorisée : {said}.</translation>
</message>
<message>
<source>This list cannot be read: {lists}.</source>
<translation>Cette liste ne peut pas être lue : {lists}.</translation>
</message>
<message>
<source>This may be the address of a website: ask for the address of the API. Or the network wants you to sign in first: open the address in a browser.</source>
<translation>C’est peut-être l’adresse d’un site web : demandez l’adresse de l’API. Ou le réseau veut d’abord que vous vous identifiiez : ouvrez l’adresse dans un navigateur.</translation>
</message>
<message>
<source>This minute’s requests are used up: it goes on in {left}</source>
<translation>Les requêtes de cette minute sont épuisées : reprise dans {left}</translation>
</message>
<message>
<source>This month</source>
<translation>Ce mois-ci</translation>
</message>
<message>
<source>This number can be read in two ways.</source>
<translation>Ce nombre peut se lire de deux façons.</translation>
</message>
<message>
<source>This number is too large for the service.</source>
<translation>Ce nombre est trop grand pour le service.</translation>
</message>
<message>
<source>This number is too large.</source>
<translation>Ce nombre est trop grand.</translation>
</message>
<message>
<source>This order</source>
<translation>Cette commande</translation>
</message>
<message>
<source>This order has no id: it can only be read.</source>
<translation>Cette commande n’a pas d’identifiant : elle ne peut qu’être lue.</translation>
</message>
<message>
<source>This order is complete already.</source>
<translation>Cette commande est déjà terminée.</translation>
</message>
<message>
<source>This pet is {status}.</source>
<translation>Cet animal est {status}.</translation>
</message>
<message>
<source>This record is gone.</source>
<translation>Cette fiche n’existe plus.</translation>
</message>
<message>
<source>This removes its key from the keyring and its data from this computer: the copy of its lists, the history, your views and minimum stock.</source>
<translation>Sa clé est supprimée du trousseau, et ses données de cet ordinateur : la copie de ses listes, l’historique, vos vues et vos stocks minimum.</translation>
</message>
<message>
<source>This replaces the view {name}.</source>
<translation>Cela remplace la vue {name}.</translation>
</message>
<message>
<source>This service does not delete them: once sent, this cannot be undone.</source>
<translation>Ce service ne supprime pas ces fiches : une fois envoyé, l’ajout ne peut plus être annulé.</translation>
</message>
<message>
<source>This service does not offer that.</source>
<translation>Ce service ne propose pas cela.</translation>
</message>
<message>
<source>This service signs people in elsewhere. Paste an access token.</source>
<translation>Pour ce service, on s’identifie ailleurs. Collez un jeton d’accès.</translation>
</message>
<message>
<source>This shop has no categories yet</source>
<translation>Ce magasin n’a pas encore de catégories</translation>
</message>
<message>
<source>This shop has no orders</source>
<translation>Ce magasin n’a pas de commandes</translation>
</message>
<message>
<source>This shop has no pets yet</source>
<translation>Ce magasin n’a pas encore d’animaux</translation>
</message>
<message>
<source>This shop has no stock entries</source>
<translation>Ce magasin n’a pas de fiches de stock</translation>
</message>
<message>
<source>This shop has not been read yet: what is in it is not known.</source>
<translation>Ce magasin n’a pas encore été lu : on ne sait pas ce qu’il contient.</translation>
</message>
<message>
<source>This shop is empty. Add its first pet under Pets.</source>
<translation>Ce magasin est vide. Ajoutez son premier animal sous Animaux.</translation>
</message>
<message>
<source>This takes more than half of the requests that are left for today.</source>
<translation>Cela prend plus de la moitié des requêtes qui restent pour aujourd’hui.</translation>
</message>
<message>
<source>This text can be read in several ways.</source>
<translation>Ce texte peut se lire de plusieurs façons.</translation>
</message>
<message>
<source>This value cannot be sent.</source>
<translation>Cette valeur ne peut pas être envoyée.</translation>
</message>
<message>
<source>This week</source>
<translation>Cette semaine</translation>
</message>
<message>
<source>This workbook cannot be read. Save it as XLSX or CSV, and import that.</source>
<translation>Ce classeur ne peut pas être lu. Enregistrez-le en XLSX ou en CSV, et importez ce fichier.</translation>
</message>
<message>
<source>This workbook is old or has a password. Save it as XLSX or CSV, and import that.</source>
<translation>Ce classeur est ancien ou protégé par un mot de passe. Enregistrez-le en XLSX ou en CSV, et importez ce fichier.</translation>
</message>
<message>
<source>Throw away</source>
<translation>Jeter</translation>
</message>
<message>
<source>Throw them away</source>
<translation>Les jeter</translation>
</message>
<message>
<source>Time</source>
<translation>Heure</translation>
</message>
<message>
<source>Times are this computer’s; the service’s clock is {ahead}.</source>
<translation>Les heures sont celles de cet ordinateur ; l’horloge du service est {ahead}.</translation>
</message>
<message>
<source>To</source>
<translation>Au</translation>
</message>
<message>
<source>To change</source>
<translation>À modifier</translation>
</message>
<message>
<source>To come</source>
<translation>À venir</translation>
</message>
<message>
<source>To count</source>
<translation>À compter</translation>
</message>
<message>
<source>To order</source>
<translation>À commander</translation>
</message>
<message>
<source>To report it, copy the details. Then continue.</source>
<translation>Pour la signaler, copiez les détails. Continuez ensuite.</translation>
</message>
<message>
<source>To send them, connect to that address again.</source>
<translation>Pour les envoyer, connectez-vous de nouveau à cette adresse.</translation>
</message>
<message>
<source>To set one, select pets, stock or categories, then choose Shop &gt; Minimum stock.</source>
<translation>Pour en définir un, sélectionnez des animaux, du stock ou des catégories, puis choisissez Magasin &gt; Stock minimum.</translation>
</message>
<message>
<source>Today</source>
<translation>Aujourd’hui</translation>
</message>
<message numerus="yes">
<source>Today’s requests are not enough for this. The rest is saved on this computer, and goes out by itself on the next {n} days.</source>
<translation>
<numerusform>Les requêtes du jour ne suffisent pas pour cela. Le reste est enregistré sur cet ordinateur, et partira tout seul le jour suivant.</numerusform>
<numerusform>Les requêtes du jour ne suffisent pas pour cela. Le reste est enregistré sur cet ordinateur, et partira tout seul au cours des {n} jours suivants.</numerusform>
</translation>
</message>
<message>
<source>Today’s requests are used up</source>
<translation>Les requêtes du jour sont épuisées</translation>
</message>
<message>
<source>Today’s requests are used up: changes go out when the program is open after {time}.</source>
<translation>Les requêtes du jour sont épuisées : les modifications partiront quand le programme sera ouvert à partir de {time}.</translation>
</message>
<message numerus="yes">
<source>Today’s {n} requests are used up</source>
<translation>
<numerusform>La requête du jour est épuisée</numerusform>
<numerusform>Les {n} requêtes du jour sont épuisées</numerusform>
</translation>
</message>
<message>
<source>Tomorrow</source>
<translation>Demain</translation>
</message>
<message>
<source>Too large.</source>
<translation>Trop grand.</translation>
</message>
<message>
<source>Too small.</source>
<translation>Trop petit.</translation>
</message>
<message>
<source>Took</source>
<translation>Durée</translation>
</message>
<message>
<source>Took, s</source>
<translation>Durée, s</translation>
</message>
<message>
<source>Treat scans as typing</source>
<translation>Traiter les scans comme une saisie</translation>
</message>
<message>
<source>Try again</source>
<translation>Réessayer</translation>
</message>
<message>
<source>Try again later.</source>
<translation>Réessayez plus tard.</translation>
</message>
<message>
<source>Try again later. If it keeps failing, ask the service’s provider.</source>
<translation>Réessayez plus tard. Si l’échec persiste, demandez au fournisseur du service.</translation>
</message>
<message>
<source>Try again later. If it keeps failing, tell the service’s provider.</source>
<translation>Réessayez plus tard. Si l’échec persiste, prévenez le fournisseur du service.</translation>
</message>
<message>
<source>Try again, or see the server response.</source>
<translation>Réessayez, ou consultez la réponse du serveur.</translation>
</message>
<message>
<source>Try again.</source>
<translation>Réessayez.</translation>
</message>
<message>
<source>Try again. If it fails again, ask the service’s provider.</source>
<translation>Réessayez. En cas de nouvel échec, demandez au fournisseur du service.</translation>
</message>
<message>
<source>Try again. If it fails again, check the network and the address.</source>
<translation>Réessayez. En cas de nouvel échec, vérifiez le réseau et l’adresse.</translation>
</message>
<message>
<source>Try again. If it happens often, check the network or the proxy.</source>
<translation>Réessayez. Si cela arrive souvent, vérifiez le réseau ou le proxy.</translation>
</message>
<message>
<source>Try the demo shop</source>
<translation>Essayer le magasin démo</translation>
</message>
<message>
<source>Type +12 into a stock, and Enter: saved on this computer first, then sent, once.</source>
<translation>Tapez +12 dans un stock, puis Enter : d’abord enregistré sur cet ordinateur, puis envoyé, une fois.</translation>
</message>
<message>
<source>Type a name or an id</source>
<translation>Tapez un nom ou un identifiant</translation>
</message>
<message>
<source>Type a pet’s name or id.</source>
<translation>Tapez le nom ou l’identifiant d’un animal.</translation>
</message>
<message>
<source>Type in a cell to replace its value; +12 adds, =40 sets.</source>
<translation>Tapez dans une cellule pour remplacer sa valeur ; +12 ajoute, =40 fixe.</translation>
</message>
<message>
<source>Type it in the column Minimum, or select categories and choose Shop &gt; Minimum stock.</source>
<translation>Saisissez-le dans la colonne Minimum, ou sélectionnez des catégories, puis choisissez Magasin &gt; Stock minimum.</translation>
</message>
<message>
<source>UTF-16, other byte order</source>
<translation>UTF-16, autre ordre des octets</translation>
</message>
<message>
<source>Unconfirmed</source>
<translation>Non confirmées</translation>
</message>
<message>
<source>Undo</source>
<translation>Annuler</translation>
</message>
<message>
<source>Undo these changes</source>
<translation>Annuler ces modifications</translation>
</message>
<message>
<source>Undo what was before</source>
<translation>Annuler l’action précédente</translation>
</message>
<message>
<source>Undo: {what}</source>
<translation>Annulation – {what}</translation>
</message>
<message>
<source>Undone {time}, never sent.</source>
<translation>Annulée ({time}), jamais envoyée.</translation>
</message>
<message>
<source>Undone {time}.</source>
<translation>Annulée ({time}).</translation>
</message>
<message>
<source>Undone {time}; the service had refused it.</source>
<translation>Annulée ({time}) ; le service l’avait refusée.</translation>
</message>
<message>
<source>Undone: {what}</source>
<translation>Annulation – {what}</translation>
</message>
<message>
<source>Unexpected error: {name}.</source>
<translation>Erreur inattendue : {name}.</translation>
</message>
<message>
<source>Unfr&amp;eeze columns</source>
<translation>&amp;Libérer les colonnes</translation>
</message>
<message>
<source>Unknown code</source>
<translation>Code inconnu</translation>
</message>
<message>
<source>Unknown code {code}</source>
<translation>Code inconnu {code}</translation>
</message>
<message>
<source>Unknown code {code}: kept under Unknown codes</source>
<translation>Code inconnu {code} : conservé sous Codes inconnus</translation>
</message>
<message>
<source>Unknown codes</source>
<translation>Codes inconnus</translation>
</message>
<message>
<source>Unlock it, then enter the key again.</source>
<translation>Déverrouillez-le, puis entrez de nouveau la clé.</translation>
</message>
<message>
<source>Unlock or set up the keyring, then enter the key again.</source>
<translation>Déverrouillez ou installez le trousseau, puis entrez de nouveau la clé.</translation>
</message>
<message>
<source>Unlock the keyring, then check again.</source>
<translation>Déverrouillez le trousseau, puis vérifiez de nouveau.</translation>
</message>
<message>
<source>Unsent</source>
<translation>En boîte d’envoi</translation>
</message>
<message>
<source>Unsent categories</source>
<translation>Catégories en boîte d’envoi</translation>
</message>
<message>
<source>Unsent changes are discarded; the records show the service’s values again.</source>
<translation>Les modifications non envoyées sont abandonnées ; les fiches montrent de nouveau les valeurs du service.</translation>
</message>
<message>
<source>Unsent changes stay here until you turn this off.</source>
<translation>Les modifications non envoyées restent ici tant que cette option est activée.</translation>
</message>
<message>
<source>Unsent orders</source>
<translation>Commandes en boîte d’envoi</translation>
</message>
<message>
<source>Unsent stock</source>
<translation>Stock en boîte d’envoi</translation>
</message>
<message>
<source>Unusually large: please check</source>
<translation>Inhabituellement grand : veuillez vérifier</translation>
</message>
<message>
<source>Up and Down change the part under the caret, Alt+Down opens a calendar</source>
<translation>Haut et Bas changent la partie sous le curseur, Alt+Bas ouvre un calendrier</translation>
</message>
<message>
<source>Use QR codes</source>
<translation>Utiliser des codes QR</translation>
</message>
<message>
<source>Use an address that begins with https://. Plain http works only on this computer.</source>
<translation>Utilisez une adresse qui commence par https://. Le http simple ne fonctionne que sur cet ordinateur.</translation>
</message>
<message>
<source>Use for this</source>
<translation>Opération utilisée</translation>
</message>
<message>
<source>Use for “{what}”</source>
<translation>Opération utilisée pour « {what} »</translation>
</message>
<message>
<source>Use that window, or close it.</source>
<translation>Utilisez cette fenêtre, ou fermez-la.</translation>
</message>
<message>
<source>Use this key</source>
<translation>Utiliser cette clé</translation>
</message>
<message>
<source>Use this size</source>
<translation>Utiliser ce format</translation>
</message>
<message>
<source>Use {address}</source>
<translation>Utiliser {address}</translation>
</message>
<message>
<source>Use {url}.</source>
<translation>Utilisez {url}.</translation>
</message>
<message>
<source>Used in the last 24 hours</source>
<translation>Utilisées ces dernières 24 heures</translation>
</message>
<message>
<source>Used since {time}</source>
<translation>Utilisées depuis {time}</translation>
</message>
<message>
<source>Used today</source>
<translation>Utilisées aujourd’hui</translation>
</message>
<message>
<source>Used up</source>
<translation>Épuisées</translation>
</message>
<message>
<source>Used up at about {time} at this pace</source>
<translation>À ce rythme, épuisées vers {time}</translation>
</message>
<message>
<source>Used up. Full again at {time}.</source>
<translation>Épuisées. De nouveau au complet à partir de {time}.</translation>
</message>
<message>
<source>Values that the service needs and that are not known: {names}. Enter them in the connection’s settings.</source>
<translation>Valeurs inconnues dont le service a besoin : {names}. Entrez-les dans les paramètres de la connexion.</translation>
</message>
<message>
<source>Variances</source>
<translation>Écarts</translation>
</message>
<message>
<source>Version {version}</source>
<translation>Version {version}</translation>
</message>
<message>
<source>Version {version} is available</source>
<translation>La version {version} est disponible</translation>
</message>
<message>
<source>Vie&amp;ws</source>
<translation>&amp;Vues</translation>
</message>
<message>
<source>View {n} of the file</source>
<translation>Vue {n} du fichier</translation>
</message>
<message>
<source>View {n} of the file, {name}</source>
<translation>Vue {n} du fichier, {name}</translation>
</message>
<message>
<source>View · {list}</source>
<translation>Vue · {list}</translation>
</message>
<message>
<source>Views (*.json)</source>
<translation>Vues (*.json)</translation>
</message>
<message>
<source>Views of this list</source>
<translation>Vues de cette liste</translation>
</message>
<message>
<source>Violet</source>
<translation>Violet</translation>
</message>
<message>
<source>Wait until the ban ends. Check whether another program still sends with this key.</source>
<translation>Attendez la fin du blocage. Vérifiez si un autre programme envoie encore avec cette clé.</translation>
</message>
<message>
<source>Wait, then check again.</source>
<translation>Attendez, puis vérifiez de nouveau.</translation>
</message>
<message>
<source>Wait: it goes on by itself. If it happens again, ask the service’s provider.</source>
<translation>Attendez : l’envoi reprendra tout seul. Si cela se reproduit, demandez au fournisseur du service.</translation>
</message>
<message>
<source>Wait: sending now would make the ban longer.</source>
<translation>Attendez : un envoi maintenant prolongerait le blocage.</translation>
</message>
<message>
<source>Waited</source>
<translation>Attente</translation>
</message>
<message>
<source>Waited, s</source>
<translation>Attente, s</translation>
</message>
<message>
<source>Waiting</source>
<translation>En attente</translation>
</message>
<message>
<source>Waiting: {wait}.</source>
<translation>En attente : {wait}.</translation>
</message>
<message>
<source>Waits for its turn, until {time}.</source>
<translation>Attend son tour, jusqu’à {time}.</translation>
</message>
<message>
<source>Waits for its turn.</source>
<translation>Attend son tour.</translation>
</message>
<message>
<source>Waits for the minute’s requests, until {time}.</source>
<translation>Attend les requêtes de la minute suivante, jusqu’à {time}.</translation>
</message>
<message>
<source>Waits for the minute’s requests.</source>
<translation>Attend les requêtes de la minute suivante.</translation>
</message>
<message>
<source>Waits for the next day’s requests, until {time}.</source>
<translation>Attend les requêtes du jour suivant, jusqu’à {time}.</translation>
</message>
<message>
<source>Waits for the next day’s requests.</source>
<translation>Attend les requêtes du jour suivant.</translation>
</message>
<message>
<source>Weekly report: &amp;last week…</source>
<translation>Rapport hebdomadaire : &amp;semaine dernière…</translation>
</message>
<message>
<source>Weekly report: &amp;this week…</source>
<translation>Rapport hebdomadaire : &amp;cette semaine…</translation>
</message>
<message>
<source>What</source>
<translation>Objet</translation>
</message>
<message>
<source>What came in</source>
<translation>Arrivages</translation>
</message>
<message>
<source>What changed</source>
<translation>Ce qui a changé</translation>
</message>
<message>
<source>What changed in these days is not known.</source>
<translation>On ne sait pas ce qui a changé pendant ces jours.</translation>
</message>
<message numerus="yes">
<source>What changed in {lists} is not known: these lists have not been read whole.</source>
<translation>
<numerusform>On ne sait pas ce qui a changé dans la liste {lists} : elle n’a pas été lue en entier.</numerusform>
<numerusform>On ne sait pas ce qui a changé dans les listes {lists} : elles n’ont pas été lues en entier.</numerusform>
</translation>
</message>
<message>
<source>What changed is known since {time}, when the history on this computer begins.</source>
<translation>Les modifications sont connues depuis le {time}, début de l’historique sur cet ordinateur.</translation>
</message>
<message>
<source>What changed since {time} is not known.</source>
<translation>On ne sait pas ce qui a changé depuis {time}.</translation>
</message>
<message>
<source>What changes while you are away is listed here.</source>
<translation>Ce qui change pendant votre absence est listé ici.</translation>
</message>
<message>
<source>What is shown</source>
<translation>Ce qui est montré</translation>
</message>
<message>
<source>What to count</source>
<translation>Périmètre</translation>
</message>
<message>
<source>What was sent is in the shop. Changes that were still waiting are not sent by themselves.</source>
<translation>Ce qui a été envoyé est au magasin. Les modifications qui attendaient encore ne seront pas envoyées d’elles-mêmes.</translation>
</message>
<message>
<source>What was sent is in the shop. Changes that were still waiting, if any, are lost with the file.</source>
<translation>Ce qui a été envoyé est au magasin. Les modifications qui attendaient encore, s’il y en avait, sont perdues avec le fichier.</translation>
</message>
<message numerus="yes">
<source>What was sent is in the shop. {n} changes that were still waiting are not sent by themselves; they are listed in {list}.</source>
<translation>
<numerusform>Ce qui a été envoyé est au magasin. Une modification qui attendait encore ne sera pas envoyée d’elle-même ; elle figure dans {list}.</numerusform>
<numerusform>Ce qui a été envoyé est au magasin. {n} modifications qui attendaient encore ne seront pas envoyées d’elles-mêmes ; elles figurent dans {list}.</numerusform>
</translation>
</message>
<message>
<source>What will change</source>
<translation>Ce qui va changer</translation>
</message>
<message>
<source>What you add here is saved at once and sent to the service.</source>
<translation>Ce que vous ajoutez ici est enregistré aussitôt et envoyé au service.</translation>
</message>
<message>
<source>What you did here is thrown away. Nothing of it has reached the shop.</source>
<translation>Ce que vous avez fait ici sera jeté. Rien n’en est parvenu au magasin.</translation>
</message>
<message>
<source>What you saved is safe.</source>
<translation>Ce que vous avez enregistré est en sécurité.</translation>
</message>
<message>
<source>What you saved is safe. This report stays on this computer; it holds no key and no record.</source>
<translation>Ce que vous avez enregistré est en sécurité. Ce rapport reste sur cet ordinateur ; il ne contient ni clé ni fiche.</translation>
</message>
<message>
<source>What you typed will be lost.</source>
<translation>Ce que vous avez saisi sera perdu.</translation>
</message>
<message>
<source>What {shop} offers is not known yet.</source>
<translation>On ne sait pas encore ce que propose {shop}.</translation>
</message>
<message>
<source>Which id of an entry a change of stock means ({name}, or the entry’s own) is found out by reading, before the first one; where the service does not tell, stock is only read.</source>
<translation>L’identifiant qu’une modification de stock désigne ({name} ou celui de l’entrée) est établi par une lecture, avant la première ; si le service ne le dit pas, le stock est seulement lu.</translation>
</message>
<message>
<source>Which orders are overdue is not known.</source>
<translation>On ne sait pas quelles commandes sont en retard.</translation>
</message>
<message>
<source>Which pet is {code}?</source>
<translation>Quel animal est {code} ?</translation>
</message>
<message>
<source>Which pet is {code}? Type its id or name, then press Enter.</source>
<translation>Quel animal est {code} ? Tapez son identifiant ou son nom, puis appuyez sur Entrée.</translation>
</message>
<message>
<source>Which pet?</source>
<translation>Quel animal ?</translation>
</message>
<message>
<source>Which stock is low is not known.</source>
<translation>On ne sait pas quel stock est bas.</translation>
</message>
<message>
<source>Who</source>
<translation>Où</translation>
</message>
<message>
<source>Windows, Arabic (1256)</source>
<translation>Windows, arabe (1256)</translation>
</message>
<message>
<source>Windows, Baltic (1257)</source>
<translation>Windows, balte (1257)</translation>
</message>
<message>
<source>Windows, Central Europe (1250)</source>
<translation>Windows, Europe centrale (1250)</translation>
</message>
<message>
<source>Windows, Cyrillic (1251)</source>
<translation>Windows, cyrillique (1251)</translation>
</message>
<message>
<source>Windows, Greek (1253)</source>
<translation>Windows, grec (1253)</translation>
</message>
<message>
<source>Windows, Hebrew (1255)</source>
<translation>Windows, hébreu (1255)</translation>
</message>
<message>
<source>Windows, Thai (874)</source>
<translation>Windows, thaï (874)</translation>
</message>
<message>
<source>Windows, Turkish (1254)</source>
<translation>Windows, turc (1254)</translation>
</message>
<message>
<source>Windows, Western (1252)</source>
<translation>Windows, Europe de l’Ouest (1252)</translation>
</message>
<message>
<source>With plain http, others on the way to {host} could read the key. Nothing was sent.</source>
<translation>En http simple, d’autres pourraient lire la clé sur le trajet vers {host}. Rien n’a été envoyé.</translation>
</message>
<message>
<source>Without</source>
<translation>Sans</translation>
</message>
<message>
<source>Without a category</source>
<translation>Sans catégorie</translation>
</message>
<message>
<source>Without a ship date</source>
<translation>Sans date d’expédition</translation>
</message>
<message>
<source>Without a time zone, shown as it is. The service wrote: {raw}</source>
<translation>Sans fuseau horaire, affichée telle quelle. Le service a écrit : {raw}</translation>
</message>
<message>
<source>Worth a look</source>
<translation>À vérifier</translation>
</message>
<message>
<source>Write names with dots between them, such as category.id.</source>
<translation>Écrivez les noms avec des points entre eux, par exemple category.id.</translation>
</message>
<message>
<source>Wrong</source>
<translation>Erronées</translation>
</message>
<message>
<source>Year-Month-Day</source>
<translation>Année-Mois-Jour</translation>
</message>
<message>
<source>Yesterday</source>
<translation>Hier</translation>
</message>
<message>
<source>You already have all bar codes of the file</source>
<translation>Vous avez déjà tous les codes-barres du fichier</translation>
</message>
<message>
<source>You already have all views of the file</source>
<translation>Vous avez déjà toutes les vues du fichier</translation>
</message>
<message>
<source>You can read and edit everything on this computer.</source>
<translation>Vous pouvez tout lire et modifier sur cet ordinateur.</translation>
</message>
<message>
<source>You can set a minimum once the service has given it an id</source>
<translation>Vous pourrez fixer un minimum quand le service lui aura donné un identifiant</translation>
</message>
<message>
<source>You can undo it here, even weeks later.</source>
<translation>Vous pouvez l’annuler ici, même des semaines plus tard.</translation>
</message>
<message>
<source>You chose {endpoint}, which the document no longer has or which cannot be used.</source>
<translation>Vous avez choisi {endpoint}, que le document n’a plus ou qui n’est pas utilisable.</translation>
</message>
<message numerus="yes">
<source>You corrected {n} cells.</source>
<translation>
<numerusform>Vous avez corrigé une cellule.</numerusform>
<numerusform>Vous avez corrigé {n} cellules.</numerusform>
</translation>
</message>
<message>
<source>You don’t need to do anything.</source>
<translation>Vous n’avez rien à faire.</translation>
</message>
<message>
<source>You have not been away yet.</source>
<translation>Aucune absence jusqu’ici.</translation>
</message>
<message>
<source>You, {time}</source>
<translation>Vous, {time}</translation>
</message>
<message>
<source>Your bar codes are unchanged.</source>
<translation>Vos codes-barres sont inchangés.</translation>
</message>
<message>
<source>Your changes and all other data are safe. The readable part of it is still used.</source>
<translation>Vos modifications et toutes les autres données sont en sécurité. La partie lisible du fichier est encore utilisée.</translation>
</message>
<message>
<source>Your changes and all other data are safe; only that list starts again.</source>
<translation>Vos modifications et toutes les autres données sont en sécurité ; seule cette liste recommence à zéro.</translation>
</message>
<message>
<source>Your changes and all other data are safe; only the history starts again.</source>
<translation>Vos modifications et toutes les autres données sont en sécurité ; seul l’historique recommence à zéro.</translation>
</message>
<message>
<source>Your changes are kept in a network folder: {file}.</source>
<translation>Vos modifications sont conservées dans un dossier réseau : {file}.</translation>
</message>
<message>
<source>Your changes are safe, and all else goes on. What changes meanwhile is recorded with less exact times.</source>
<translation>Vos modifications sont en sécurité, et tout le reste continue. Ce qui change entre-temps est consigné avec des heures moins précises.</translation>
</message>
<message>
<source>Your changes are safe, and sending goes on; only the list of requests will have gaps.</source>
<translation>Vos modifications sont en sécurité, et l’envoi continue ; seule la liste des requêtes aura des trous.</translation>
</message>
<message>
<source>Your changes are safe. Before anything else is sent, one test request checks for a pause.</source>
<translation>Vos modifications sont en sécurité. Avant tout autre envoi, une requête de test vérifie s’il y a une pause.</translation>
</message>
<message>
<source>Your changes are safe; its data is read from the service again.</source>
<translation>Vos modifications sont en sécurité ; ses données sont relues auprès du service.</translation>
</message>
<message>
<source>Your changes are saved on this computer and go out by themselves {when}.</source>
<translation>Vos modifications sont enregistrées sur cet ordinateur et partiront toutes seules {when}.</translation>
</message>
<message>
<source>Your changes are saved on this computer.</source>
<translation>Vos modifications sont enregistrées sur cet ordinateur.</translation>
</message>
<message>
<source>Your changes are saved on this computer; nothing is sent until a key works.</source>
<translation>Vos modifications sont enregistrées sur cet ordinateur ; rien n’est envoyé tant qu’aucune clé ne fonctionne.</translation>
</message>
<message>
<source>Your changes are saved on this computer; what needs this key is not sent until one works.</source>
<translation>Vos modifications sont enregistrées sur cet ordinateur ; ce qui demande cette clé n’est pas envoyé tant qu’aucune ne fonctionne.</translation>
</message>
<message>
<source>Your changes are saved on this computer; what needs this key is not sent until then.</source>
<translation>Vos modifications sont enregistrées sur cet ordinateur ; ce qui demande cette clé n’est pas envoyé d’ici là.</translation>
</message>
<message>
<source>Your data on this computer is kept.</source>
<translation>Vos données sur cet ordinateur sont conservées.</translation>
</message>
<message>
<source>Your draft of {time} is filled in.</source>
<translation>Votre brouillon ({time}) a été repris.</translation>
</message>
<message numerus="yes">
<source>Your plan allows {n} in a minute, and this computer has sent as many.</source>
<translation>
<numerusform>Votre forfait en permet {n} par minute, et cet ordinateur en a envoyé autant.</numerusform>
<numerusform>Votre forfait en permet {n} par minute, et cet ordinateur en a envoyé autant.</numerusform>
</translation>
</message>
<message>
<source>Your shops</source>
<translation>Vos magasins</translation>
</message>
<message>
<source>Your shop’s name, or a greeting</source>
<translation>Le nom de votre magasin, ou un mot d’accueil</translation>
</message>
<message>
<source>Your shop’s pets, stock and orders, online and offline.</source>
<translation>Les animaux, le stock et les commandes de votre magasin, en ligne et hors ligne.</translation>
</message>
<message>
<source>Your views are unchanged.</source>
<translation>Vos vues sont inchangées.</translation>
</message>
<message numerus="yes">
<source>Your {n} changes are saved on this computer and go out afterwards.</source>
<translation>
<numerusform>Votre modification est enregistrée sur cet ordinateur et partira ensuite.</numerusform>
<numerusform>Vos {n} modifications sont enregistrées sur cet ordinateur et partiront ensuite.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Your {n} changes are saved on this computer; they go out by themselves {when}.</source>
<translation>
<numerusform>Votre modification est enregistrée sur cet ordinateur ; elle partira toute seule {when}.</numerusform>
<numerusform>Vos {n} modifications sont enregistrées sur cet ordinateur ; elles partiront toutes seules {when}.</numerusform>
</translation>
</message>
<message>
<source>Yours of {acted}; changed elsewhere, seen {seen}.</source>
<translation>La vôtre : {acted} ; modifiée ailleurs, vue : {seen}.</translation>
</message>
<message>
<source>a cache answered for the service, so that a change by somebody else could have been overwritten. Sent again, it rests on what was last seen</source>
<translation>un cache a répondu à la place du service ; une modification faite par quelqu’un d’autre aurait pu être écrasée. Un nouvel envoi s’appuiera sur ce qui a été vu en dernier</translation>
</message>
<message>
<source>a cell holds at most {most} signs, and a text is longer; nothing was written: use csv or json</source>
<translation>une cellule contient au plus {most} caractères, et un texte est plus long ; rien n’a été écrit : utilisez csv ou json</translation>
</message>
<message>
<source>a connection needs a name</source>
<translation>une connexion a besoin d’un nom</translation>
</message>
<message>
<source>a day such as {day}, or a word such as today</source>
<translation>un jour, par exemple {day}, ou un mot, par exemple aujourd'hui</translation>
</message>
<message>
<source>a deleted order stays deleted</source>
<translation>une commande supprimée reste supprimée</translation>
</message>
<message>
<source>a file in the format {format} is nothing for a terminal; say where it is to go with --out FILE</source>
<translation>un fichier au format {format} ne se lit pas dans un terminal ; indiquez où l’écrire avec --out FICHIER</translation>
</message>
<message>
<source>a guess, read only</source>
<translation>deviné, en lecture seule</translation>
</message>
<message>
<source>a later day</source>
<translation>un jour ultérieur</translation>
</message>
<message>
<source>a moment</source>
<translation>un instant</translation>
</message>
<message>
<source>a number from 1 to 1,000,000</source>
<translation>un nombre de 1 à 1 000 000</translation>
</message>
<message>
<source>a number such as 5, &gt;10 or 10..20</source>
<translation>un nombre, par exemple 5, &gt;10 ou 10..20</translation>
</message>
<message>
<source>a sheet holds at most {most} rows; nothing was written: use the format csv or json</source>
<translation>une feuille contient au plus {most} lignes ; rien n’a été écrit : utilisez le format csv ou json</translation>
</message>
<message>
<source>a test request checks whether sending may resume</source>
<translation>une requête de test vérifie si l’envoi peut reprendre</translation>
</message>
<message>
<source>a web page came back instead of data.</source>
<translation>une page web est arrivée au lieu de données.</translation>
</message>
<message>
<source>a web page, such as a login page, answered instead of the service, and nothing was changed</source>
<translation>une page web, par exemple une page de connexion, a répondu à la place du service, et rien n’a été modifié</translation>
</message>
<message numerus="yes">
<source>about {n} days</source>
<translation>
<numerusform>environ {n} jour</numerusform>
<numerusform>environ {n} jours</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} days left</source>
<translation>
<numerusform>encore environ {n} jour</numerusform>
<numerusform>encore environ {n} jours</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} h</source>
<translation>
<numerusform>environ {n} h</numerusform>
<numerusform>environ {n} h</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} min</source>
<translation>
<numerusform>environ {n} min</numerusform>
<numerusform>environ {n} min</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} requests</source>
<translation>
<numerusform>environ {n} requête</numerusform>
<numerusform>environ {n} requêtes</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} s</source>
<translation>
<numerusform>environ {n} s</numerusform>
<numerusform>environ {n} s</numerusform>
</translation>
</message>
<message>
<source>add create animal</source>
<translation>ajouter créer bête compagnon</translation>
</message>
<message>
<source>add create group</source>
<translation>ajouter créer groupe</translation>
</message>
<message>
<source>add create sell sale place phone call customer</source>
<translation>ajouter créer vendre vente passer téléphone appel client</translation>
</message>
<message>
<source>after {time} (in {left})</source>
<translation>à partir de {time} (dans {left})</translation>
</message>
<message>
<source>again repeat</source>
<translation>encore refaire répéter</translation>
</message>
<message>
<source>ahead of</source>
<translation>avance</translation>
</message>
<message>
<source>ambiguous option: {words} could match {names}</source>
<translation>option ambiguë : {words} peut être {names}</translation>
</message>
<message>
<source>an authority</source>
<translation>une autorité</translation>
</message>
<message>
<source>an empty list</source>
<translation>une liste vide</translation>
</message>
<message>
<source>an empty object</source>
<translation>un objet vide</translation>
</message>
<message>
<source>an empty text</source>
<translation>un texte vide</translation>
</message>
<message>
<source>an unknown time</source>
<translation>une heure inconnue</translation>
</message>
<message numerus="yes">
<source>and {n} more</source>
<translation>
<numerusform>et {n} autre</numerusform>
<numerusform>et {n} autres</numerusform>
</translation>
</message>
<message numerus="yes">
<source>and {n} more categories</source>
<translation>
<numerusform>et {n} autre catégorie</numerusform>
<numerusform>et {n} autres catégories</numerusform>
</translation>
</message>
<message>
<source>another address</source>
<translation>une autre adresse</translation>
</message>
<message>
<source>another connection is called {name}; choose another name</source>
<translation>une autre connexion s’appelle {name} ; choisissez un autre nom</translation>
</message>
<message>
<source>another name</source>
<translation>un autre nom</translation>
</message>
<message>
<source>another one</source>
<translation>un autre</translation>
</message>
<message>
<source>answered</source>
<translation>répondu</translation>
</message>
<message>
<source>anything about categories</source>
<translation>tout ce qui concerne les catégories</translation>
</message>
<message>
<source>anything about orders</source>
<translation>tout ce qui concerne les commandes</translation>
</message>
<message>
<source>anything about pets</source>
<translation>tout ce qui concerne les animaux</translation>
</message>
<message>
<source>anything about the stock</source>
<translation>tout ce qui concerne le stock</translation>
</message>
<message>
<source>api endpoints openapi document contract offers deprecated beta</source>
<translation>api points d’accès endpoints openapi document contrat offre obsolète bêta</translation>
</message>
<message>
<source>api key password token secret credentials log in login</source>
<translation>api clé mot de passe jeton secret identifiants connexion</translation>
</message>
<message>
<source>argument {name}: {what}</source>
<translation>argument {name} : {what}</translation>
</message>
<message>
<source>as in the address</source>
<translation>comme dans l’adresse</translation>
</message>
<message>
<source>as of {time}</source>
<translation>actualisé : {time}</translation>
</message>
<message>
<source>as published</source>
<translation>celui du service</translation>
</message>
<message>
<source>as soon as the day has requests again</source>
<translation>dès que des requêtes seront de nouveau disponibles pour la journée</translation>
</message>
<message>
<source>as the program names it</source>
<translation>même nom qu’ici</translation>
</message>
<message>
<source>as the service sets it</source>
<translation>fixée par le service</translation>
</message>
<message>
<source>asked for #{asked}, the service answered with #{got}.</source>
<translation>le service, interrogé sur #{asked}, a répondu avec #{got}.</translation>
</message>
<message>
<source>attention  refused, in conflict or unconfirmed</source>
<translation>à-traiter  refusé, en conflit ou non confirmé</translation>
</message>
<message>
<source>automatic</source>
<translation>automatique</translation>
</message>
<message>
<source>available</source>
<translation>disponible</translation>
</message>
<message>
<source>background</source>
<translation>arrière-plan</translation>
</message>
<message>
<source>bar code {code}</source>
<translation>code-barres {code}</translation>
</message>
<message>
<source>bar codes</source>
<comment>the name of a file</comment>
<translation>codes-barres</translation>
</message>
<message>
<source>barcode bar code qr sticker tag print shelf</source>
<translation>code-barres code à barres qr autocollant imprimer rayon</translation>
</message>
<message>
<source>begun {time}</source>
<translation>début : {time}</translation>
</message>
<message>
<source>behind</source>
<translation>retarde</translation>
</message>
<message>
<source>being sent</source>
<translation>en cours d’envoi</translation>
</message>
<message>
<source>below-zero  the stock is below zero</source>
<translation>négatif  le stock est inférieur à zéro</translation>
</message>
<message>
<source>beta</source>
<translation>bêta</translation>
</message>
<message>
<source>booked</source>
<translation>validé</translation>
</message>
<message>
<source>broken off</source>
<translation>coupure</translation>
</message>
<message>
<source>bug report log</source>
<translation>bogue rapport journal</translation>
</message>
<message>
<source>cancel orders</source>
<translation>annuler des commandes</translation>
</message>
<message>
<source>cancelled</source>
<translation>annulation</translation>
</message>
<message>
<source>categories</source>
<translation>catégories</translation>
</message>
<message>
<source>category {id}</source>
<translation>catégorie {id}</translation>
</message>
<message>
<source>change categories</source>
<translation>modifier des catégories</translation>
</message>
<message>
<source>change connection server window</source>
<translation>changer connexion serveur fenêtre boutique</translation>
</message>
<message>
<source>change orders</source>
<translation>modifier des commandes</translation>
</message>
<message>
<source>change pets</source>
<translation>modifier des animaux</translation>
</message>
<message>
<source>change quantity amount count inventory book</source>
<translation>changer quantité nombre compter inventaire valider</translation>
</message>
<message>
<source>change rename modify</source>
<translation>changer renommer éditer</translation>
</message>
<message>
<source>change rename modify bulk</source>
<translation>changer renommer éditer masse</translation>
</message>
<message>
<source>change the stock</source>
<translation>modifier le stock</translation>
</message>
<message>
<source>changed</source>
<translation>modifié</translation>
</message>
<message>
<source>changed  today, by you or at the service</source>
<translation>modifié  aujourd’hui, par vous ou du côté du service</translation>
</message>
<message>
<source>changed by somebody else</source>
<translation>modifié par quelqu’un d’autre</translation>
</message>
<message>
<source>changed elsewhere</source>
<translation>modifié ailleurs</translation>
</message>
<message>
<source>changes</source>
<translation>modifications</translation>
</message>
<message>
<source>changes to</source>
<translation>devient</translation>
</message>
<message>
<source>changes to {value}</source>
<translation>devient {value}</translation>
</message>
<message>
<source>changes wait for the next day</source>
<translation>modifications remises au jour suivant</translation>
</message>
<message>
<source>changes {day}</source>
<comment>the name of a file</comment>
<translation>modifications {day}</translation>
</message>
<message>
<source>changes {first} to {last}</source>
<comment>the name of a file</comment>
<translation>modifications {first} à {last}</translation>
</message>
<message>
<source>chosen by you</source>
<translation>votre choix</translation>
</message>
<message>
<source>clipboard</source>
<translation>presse-papiers</translation>
</message>
<message>
<source>clipboard answer order read out phone call customer</source>
<translation>presse-papiers réponse commande lire téléphone appel client</translation>
</message>
<message>
<source>clipboard insert excel</source>
<translation>presse-papiers insérer excel</translation>
</message>
<message>
<source>clipboard number</source>
<translation>presse-papiers numéro</translation>
</message>
<message>
<source>clipboard titles columns excel</source>
<translation>presse-papiers titres colonnes excel</translation>
</message>
<message>
<source>complete</source>
<translation>terminée</translation>
</message>
<message>
<source>conflicts errors failed problems attention review</source>
<translation>conflits erreurs échecs problèmes attention révision</translation>
</message>
<message>
<source>continue go on pause ban limit</source>
<translation>continuer poursuivre pause blocage limite</translation>
</message>
<message>
<source>copied {time}</source>
<translation>copié le {time}</translation>
</message>
<message>
<source>count of {what}</source>
<translation>comptage de {what}</translation>
</message>
<message>
<source>counted at {time}</source>
<translation>compté à {time}</translation>
</message>
<message>
<source>counting</source>
<translation>en comptage</translation>
</message>
<message>
<source>counting…</source>
<translation>décompte…</translation>
</message>
<message>
<source>counts as done; nothing is sent</source>
<translation>compte comme faite ; rien n’est envoyé</translation>
</message>
<message>
<source>created</source>
<translation>création</translation>
</message>
<message>
<source>csv excel xlsx spreadsheet table file load read upload open</source>
<translation>csv excel xlsx tableur tableau fichier charger lire téléverser ouvrir</translation>
</message>
<message>
<source>csv excel xlsx spreadsheet table file save download</source>
<translation>csv excel xlsx tableur tableau fichier enregistrer télécharger</translation>
</message>
<message>
<source>d day days|w week weeks</source>
<comment>words after +3; those for days and for weeks</comment>
<translation>j jour jours|s semaine semaines</translation>
</message>
<message>
<source>day after tomorrow</source>
<translation>après-demain</translation>
</message>
<message>
<source>day used up for {left}</source>
<translation>requêtes du jour épuisées, encore {left}</translation>
</message>
<message numerus="yes">
<source>decision about {n} changes</source>
<translation>
<numerusform>décision sur {n} modification</numerusform>
<numerusform>décision sur {n} modifications</numerusform>
</translation>
</message>
<message>
<source>delete</source>
<translation>suppression</translation>
</message>
<message>
<source>delete categories</source>
<translation>supprimer des catégories</translation>
</message>
<message>
<source>delete pets</source>
<translation>supprimer des animaux</translation>
</message>
<message>
<source>delete remove</source>
<translation>supprimer enlever</translation>
</message>
<message>
<source>delete {record}</source>
<translation>suppression : {record}</translation>
</message>
<message>
<source>deleted</source>
<translation>suppression</translation>
</message>
<message>
<source>deletion of the view {name}</source>
<translation>suppression de la vue {name}</translation>
</message>
<message>
<source>demo shop</source>
<translation>magasin de démonstration</translation>
</message>
<message>
<source>deprecated</source>
<translation>obsolète</translation>
</message>
<message>
<source>deprecated, until {day}</source>
<translation>obsolète, jusqu’au {day}</translation>
</message>
<message>
<source>different values</source>
<translation>valeurs différentes</translation>
</message>
<message>
<source>discarded</source>
<translation>abandonnée</translation>
</message>
<message>
<source>done {moment}</source>
<translation>fin : {moment}</translation>
</message>
<message>
<source>each pet in {category}</source>
<translation>chaque animal de la catégorie {category}</translation>
</message>
<message numerus="yes">
<source>each pet in {n} categories</source>
<translation>
<numerusform>chaque animal de {n} catégorie</numerusform>
<numerusform>chaque animal de {n} catégories</numerusform>
</translation>
</message>
<message>
<source>elsewhere</source>
<comment>changed by another program</comment>
<translation>ailleurs</translation>
</message>
<message>
<source>empty</source>
<translation>vide</translation>
</message>
<message>
<source>every answer takes {seconds} s</source>
<translation>chaque réponse prend {seconds} s</translation>
</message>
<message>
<source>every {every} s a pause of {lasts} s, first at {first}</source>
<translation>toutes les {every} s une pause de {lasts} s, la première à {first}</translation>
</message>
<message>
<source>exclude hide not filter</source>
<translation>exclure masquer sauf filtre</translation>
</message>
<message>
<source>exit close end leave</source>
<translation>sortir fermer fin partir</translation>
</message>
<message>
<source>expected at least one argument</source>
<translation>au moins une valeur est nécessaire</translation>
</message>
<message>
<source>expected one argument</source>
<translation>une valeur manque</translation>
</message>
<message>
<source>experimental</source>
<translation>expérimentale</translation>
</message>
<message>
<source>failed there</source>
<translation>échec du service</translation>
</message>
<message>
<source>file json share load</source>
<translation>fichier json partager charger</translation>
</message>
<message>
<source>file json share save</source>
<translation>fichier json partager enregistrer</translation>
</message>
<message>
<source>filter bookmark favourite new add</source>
<translation>filtre signet favori nouveau ajouter</translation>
</message>
<message>
<source>find search fetch number</source>
<translation>chercher trouver numéro</translation>
</message>
<message>
<source>for example {example}</source>
<translation>par exemple {example}</translation>
</message>
<message>
<source>forgetting of {code}</source>
<translation>oubli de {code}</translation>
</message>
<message>
<source>found</source>
<translation>trouvé</translation>
</message>
<message>
<source>goes on after {time} ({why})</source>
<translation>reprise à partir de {time} ({why})</translation>
</message>
<message>
<source>goes out with the next `petstore-desktop sync`, import or booking, or while the window is open</source>
<translation>partira avec le prochain `petstore-desktop sync`, import ou mouvement de stock, ou tant que la fenêtre est ouverte</translation>
</message>
<message>
<source>goods delivery supplier scan scanner book in stock arrived</source>
<translation>marchandises livraison fournisseur scanner douchette entrée stock arrivage</translation>
</message>
<message>
<source>help handbook guide how to</source>
<translation>aide manuel guide comment</translation>
</message>
<message>
<source>here</source>
<comment>changed with this program</comment>
<translation>ici</translation>
</message>
<message>
<source>here and elsewhere</source>
<comment>changed with this program and by another one</comment>
<translation>ici et ailleurs</translation>
</message>
<message>
<source>hidden</source>
<translation>masqué</translation>
</message>
<message>
<source>hidden until the next scan</source>
<translation>masqué jusqu’au prochain scan</translation>
</message>
<message>
<source>hide show visible fields</source>
<translation>masquer afficher visible champs</translation>
</message>
<message>
<source>history journal log audit sent undo</source>
<translation>historique journal audit envoyé annuler</translation>
</message>
<message>
<source>history past difference differences between yesterday week since what changed</source>
<translation>historique passé différence différences entre hier semaine depuis changé</translation>
</message>
<message>
<source>how the service of {name} speaks is not known yet; `petstore-desktop doctor` or `sync` asks it first</source>
<translation>la façon dont parle le service de {name} n’est pas encore connue ; `petstore-desktop doctor` ou `sync` l’interroge d’abord</translation>
</message>
<message>
<source>id</source>
<translation>identifiant</translation>
</message>
<message>
<source>import of bar codes</source>
<translation>importation de codes-barres</translation>
</message>
<message>
<source>import of views</source>
<translation>importation de vues</translation>
</message>
<message>
<source>in conflict</source>
<translation>en conflit</translation>
</message>
<message>
<source>in conflict with the service</source>
<translation>en conflit avec le service</translation>
</message>
<message>
<source>in stock</source>
<translation>en stock</translation>
</message>
<message>
<source>in stock {count}</source>
<translation>en stock : {count}</translation>
</message>
<message>
<source>in this window</source>
<translation>dans cette fenêtre</translation>
</message>
<message numerus="yes">
<source>in {n} days</source>
<translation>
<numerusform>dans {n} jour</numerusform>
<numerusform>dans {n} jours</numerusform>
</translation>
</message>
<message>
<source>incomplete</source>
<translation>incomplet</translation>
</message>
<message>
<source>incomplete  without a pet, a quantity or a ship date</source>
<translation>incomplète  sans animal, sans quantité ou sans date d’expédition</translation>
</message>
<message>
<source>interrupted</source>
<translation>interrompu</translation>
</message>
<message>
<source>interrupted; the running program goes on with it</source>
<translation>interrompu ; le programme en cours continue</translation>
</message>
<message>
<source>invalid choice: {value} (choose from {names})</source>
<translation>{value} n’existe pas (au choix : {names})</translation>
</message>
<message>
<source>is discarded; nothing is sent</source>
<translation>est abandonnée ; rien n’est envoyé</translation>
</message>
<message>
<source>it answers with a list, not with one record</source>
<translation>sa réponse contient une liste, et non une seule fiche</translation>
</message>
<message>
<source>it answers with a list, so it creates nothing</source>
<translation>sa réponse contient une liste : cette opération ne crée donc rien</translation>
</message>
<message>
<source>it answers with one record, not with a list</source>
<translation>sa réponse contient une seule fiche, et non une liste</translation>
</message>
<message>
<source>it does not lie at the same path as {what}</source>
<translation>cette opération n’est pas sur le même chemin que {what}</translation>
</message>
<message>
<source>it does not take a record</source>
<translation>cette opération n’attend pas de fiche</translation>
</message>
<message>
<source>it filters or sorts by a column that does not exist here: {what}</source>
<translation>elle filtre ou trie par une colonne qui n’existe pas ici : {what}</translation>
</message>
<message>
<source>it has no name</source>
<translation>elle n’a pas de nom</translation>
</message>
<message>
<source>it is not a view</source>
<translation>ce n’est pas une vue</translation>
</message>
<message>
<source>it is not certain that “{what}” in its path is the record’s own id</source>
<translation>il n’est pas certain que « {what} », dans son chemin, soit l’identifiant de la fiche elle-même</translation>
</message>
<message>
<source>it is not certain which record the service would change by this id. A profile says what its ids mean</source>
<translation>on ne sait pas avec certitude quelle fiche le service modifierait par cet identifiant. Un profil dit ce que signifient les identifiants</translation>
</message>
<message>
<source>it is only at another server, {what}</source>
<translation>cette opération n’existe que sur un autre serveur, {what}</translation>
</message>
<message>
<source>it requires a value for the header “{what}”</source>
<translation>cette opération exige une valeur pour l’en-tête « {what} »</translation>
</message>
<message>
<source>it requires a value for “{what}”</source>
<translation>cette opération exige une valeur pour « {what} »</translation>
</message>
<message>
<source>it takes none of the fields that the program knows</source>
<translation>cette opération n’attend aucun des champs que le programme connaît</translation>
</message>
<message>
<source>it takes {what}, and the program sends JSON</source>
<translation>cette opération attend {what}, alors que le programme envoie du JSON</translation>
</message>
<message>
<source>it was cancelled before the answer came.</source>
<translation>la requête a été annulée avant l’arrivée de la réponse.</translation>
</message>
<message>
<source>it was done, and need not be done again; only this answer could not be written to standard output ({why})</source>
<translation>c’est fait et n’est pas à refaire ; seule cette réponse n’a pas pu être écrite sur la sortie standard ({why})</translation>
</message>
<message>
<source>it was not sent from here</source>
<translation>elle n’a pas été envoyée d’ici</translation>
</message>
<message>
<source>it was refused or never sent: it cannot count as done</source>
<translation>cela a été refusé ou n’a jamais été envoyé : impossible de le compter comme fait</translation>
</message>
<message>
<source>it would erase the values of {fields}: the service does not show them, or takes them nowhere</source>
<translation>elle effacerait les valeurs de {fields} : le service ne les montre pas, ou ne les accepte nulle part</translation>
</message>
<message>
<source>its answer does not look like {things}</source>
<translation>sa réponse ne ressemble pas à des données « {things} »</translation>
</message>
<message>
<source>its answer looks like {things}</source>
<translation>sa réponse ressemble à des données « {things} »</translation>
</message>
<message>
<source>its fields look like {things}, its path does not</source>
<translation>ses champs ressemblent à des données « {things} », mais pas son chemin</translation>
</message>
<message>
<source>its filter or sort cannot be read</source>
<translation>son filtre ou son tri ne peut pas être lu</translation>
</message>
<message>
<source>its list does not exist here: {what}</source>
<translation>sa liste n’existe pas ici : {what}</translation>
</message>
<message>
<source>its name is too long</source>
<translation>son nom est trop long</translation>
</message>
<message>
<source>key banned</source>
<translation>clé bloquée</translation>
</message>
<message>
<source>key banned for {left}</source>
<translation>clé bloquée, encore {left}</translation>
</message>
<message>
<source>key not accepted</source>
<translation>clé non acceptée</translation>
</message>
<message>
<source>koi red  both words      koi|red  one of them</source>
<translation>koi rouge  les deux mots      koi|rouge  l’un des deux</translation>
</message>
<message>
<source>late</source>
<translation>retard</translation>
</message>
<message>
<source>leaves {left} of {limit} today</source>
<translation>il en restera {left} sur {limit} aujourd’hui</translation>
</message>
<message>
<source>leaves ≈ {left} of {limit} today</source>
<translation>il en restera ≈ {left} sur {limit} aujourd’hui</translation>
</message>
<message>
<source>left out</source>
<translation>écarté</translation>
</message>
<message>
<source>limit unknown</source>
<translation>limite inconnue</translation>
</message>
<message>
<source>line of {what} in the delivery</source>
<translation>ligne de {what} dans la réception</translation>
</message>
<message>
<source>list</source>
<comment>a file of no better name</comment>
<translation>liste</translation>
</message>
<message>
<source>live, {time}</source>
<translation>en direct, {time}</translation>
</message>
<message>
<source>log network http calls api</source>
<translation>journal réseau http appels api</translation>
</message>
<message>
<source>logs errors debug file</source>
<translation>journaux erreurs débogage fichier log</translation>
</message>
<message>
<source>look up a category</source>
<translation>rechercher une catégorie</translation>
</message>
<message>
<source>look up a pet</source>
<translation>rechercher un animal</translation>
</message>
<message>
<source>look up a stock entry</source>
<translation>rechercher une fiche de stock</translation>
</message>
<message>
<source>look up an order</source>
<translation>rechercher une commande</translation>
</message>
<message>
<source>low</source>
<translation>bas</translation>
</message>
<message>
<source>low  at or below the minimum</source>
<translation>bas  égal ou inférieur au minimum</translation>
</message>
<message>
<source>low threshold limit reorder warning</source>
<translation>bas seuil limite réapprovisionnement alerte</translation>
</message>
<message>
<source>minute used up for {left}</source>
<translation>requêtes de la minute épuisées, encore {left}</translation>
</message>
<message>
<source>more-than-stock  the open orders of its pet are for more than is in stock</source>
<translation>au-delà-du-stock  les commandes ouvertes de son animal dépassent le stock</translation>
</message>
<message>
<source>name and category, as there is no column with ids</source>
<translation>nom et catégorie, faute de colonne d’identifiants</translation>
</message>
<message>
<source>name, as there is no column with ids</source>
<translation>nom, faute de colonne d’identifiants</translation>
</message>
<message>
<source>needs a key</source>
<translation>clé requise</translation>
</message>
<message>
<source>neither its records nor the rest of the document are about pets</source>
<translation>ni ses fiches ni le reste du document ne concernent les animaux</translation>
</message>
<message>
<source>never read</source>
<translation>jamais actualisé</translation>
</message>
<message>
<source>new</source>
<translation>nouveau</translation>
</message>
<message>
<source>new</source>
<comment>a record created here</comment>
<translation>nouveau</translation>
</message>
<message>
<source>new</source>
<comment>in place of an id that the service has not given yet</comment>
<translation>nouveau</translation>
</message>
<message>
<source>new categories</source>
<translation>ajouter des catégories</translation>
</message>
<message>
<source>new count</source>
<translation>nouveau comptage</translation>
</message>
<message>
<source>new orders</source>
<translation>ajouter des commandes</translation>
</message>
<message>
<source>new pets</source>
<translation>ajouter des animaux</translation>
</message>
<message>
<source>new {record}</source>
<translation>ajout : {record}</translation>
</message>
<message>
<source>next refresh at {time}</source>
<translation>prochaine actualisation : {time}</translation>
</message>
<message>
<source>next refresh at {time} ({why})</source>
<translation>prochaine actualisation : {time} ({why})</translation>
</message>
<message>
<source>no</source>
<translation>non</translation>
</message>
<message>
<source>no answer: {why}</source>
<translation>aucune réponse : {why}</translation>
</message>
<message>
<source>no column of the file can be told to be a field of {wanted}; nothing was saved. Name the columns in its first row, as `export` does</source>
<translation>aucune colonne du fichier ne peut être reconnue comme un champ pour {wanted} ; rien n’a été enregistré. Nommez les colonnes dans la première ligne, comme le fait `export`</translation>
</message>
<message>
<source>no key came on stdin; nothing was changed</source>
<translation>aucune clé n’est arrivée sur stdin ; rien n’a été modifié</translation>
</message>
<message>
<source>no key was typed; nothing was changed</source>
<translation>aucune clé n’a été saisie ; rien n’a été modifié</translation>
</message>
<message>
<source>no network from {goes} to {back}</source>
<translation>pas de réseau de {goes} à {back}</translation>
</message>
<message>
<source>no operation does it now; choose one in “Operations of this service”</source>
<translation>aucune opération ne le fait à présent ; choisissez-en une dans « Opérations de ce service »</translation>
</message>
<message>
<source>no pet</source>
<translation>aucun animal</translation>
</message>
<message>
<source>no reason given</source>
<translation>aucun motif indiqué</translation>
</message>
<message>
<source>no record shows how this service names the category or the pet: by id, by name or otherwise</source>
<translation>aucune fiche ne montre comment ce service désigne la catégorie ou l’animal : par identifiant, par nom ou autrement</translation>
</message>
<message>
<source>no request</source>
<translation>aucune requête</translation>
</message>
<message>
<source>no requests are left</source>
<translation>il ne reste aucune requête</translation>
</message>
<message>
<source>no stock entry</source>
<translation>pas de fiche de stock</translation>
</message>
<message>
<source>no such category</source>
<translation>catégorie inexistante</translation>
</message>
<message>
<source>no such pet</source>
<translation>animal inexistant</translation>
</message>
<message>
<source>no-such-pet  its pet does not exist</source>
<translation>animal-inexistant  son animal n’existe pas</translation>
</message>
<message>
<source>none</source>
<translation>aucun</translation>
</message>
<message>
<source>none</source>
<comment>no ship date</comment>
<translation>aucune</translation>
</message>
<message>
<source>none left, next try in {left}</source>
<translation>plus de requêtes, essai dans {left}</translation>
</message>
<message>
<source>none today</source>
<translation>aucune aujourd’hui</translation>
</message>
<message>
<source>not allowed</source>
<translation>non autorisée</translation>
</message>
<message>
<source>not allowed with argument {name}</source>
<translation>incompatible avec {name}</translation>
</message>
<message>
<source>not available</source>
<translation>indisponible</translation>
</message>
<message>
<source>not booked</source>
<translation>non validé</translation>
</message>
<message>
<source>not booked yet</source>
<translation>pas encore validé</translation>
</message>
<message>
<source>not checked yet</source>
<translation>pas encore vérifié</translation>
</message>
<message>
<source>not found</source>
<translation>introuvable</translation>
</message>
<message>
<source>not known</source>
<translation>inconnu</translation>
</message>
<message>
<source>not now</source>
<translation>pas maintenant</translation>
</message>
<message>
<source>not offered</source>
<translation>non proposée</translation>
</message>
<message>
<source>not reached</source>
<translation>non atteint</translation>
</message>
<message>
<source>not read to its end</source>
<translation>lecture inachevée</translation>
</message>
<message>
<source>not readable</source>
<translation>illisible</translation>
</message>
<message>
<source>not said</source>
<translation>non indiqué</translation>
</message>
<message>
<source>not saved</source>
<translation>non enregistrée</translation>
</message>
<message>
<source>not secure</source>
<translation>non sécurisé</translation>
</message>
<message>
<source>not sent: this connection is read-only</source>
<translation>non envoyée : cette connexion est en lecture seule</translation>
</message>
<message>
<source>not there</source>
<translation>introuvable</translation>
</message>
<message>
<source>not yet</source>
<translation>pas encore</translation>
</message>
<message>
<source>note</source>
<translation>remarque</translation>
</message>
<message>
<source>nothing</source>
<translation>rien</translation>
</message>
<message>
<source>nothing else in the document is about pets, their orders or their stock</source>
<translation>rien d’autre dans le document ne concerne les animaux, leurs commandes ou leur stock</translation>
</message>
<message>
<source>nothing here reaches your shop. {said}</source>
<translation>rien ici n’atteint votre magasin. {said}</translation>
</message>
<message>
<source>nothing is kept here of the {resource} of {name} yet; `petstore-desktop sync {typed}` reads them</source>
<translation>rien n’est encore conservé ici pour {name} ({resource}) ; `petstore-desktop sync {typed}` en lance la lecture</translation>
</message>
<message>
<source>nothing is known to be stored</source>
<translation>à notre connaissance, rien n’a été stocké</translation>
</message>
<message>
<source>nothing needs a decision</source>
<translation>rien n’est à décider</translation>
</message>
<message>
<source>nothing read yet</source>
<translation>encore rien lu</translation>
</message>
<message>
<source>nothing to send</source>
<translation>rien à envoyer</translation>
</message>
<message>
<source>nothing was changed</source>
<translation>rien n’a été modifié</translation>
</message>
<message>
<source>nothing was changed in {file}</source>
<translation>rien n’a été modifié dans {file}</translation>
</message>
<message>
<source>nothing was saved</source>
<translation>rien n’a été enregistré</translation>
</message>
<message>
<source>nothing was sent</source>
<translation>rien n’a été envoyé</translation>
</message>
<message>
<source>nothing was sent, not even the key</source>
<translation>rien n’a été envoyé, pas même la clé</translation>
</message>
<message>
<source>now</source>
<comment>this moment</comment>
<translation>maintenant</translation>
</message>
<message>
<source>o: orders   p: pets   c: categories   s: stock</source>
<translation>o: commandes   p: animaux   c: catégories   s: stock</translation>
</message>
<message>
<source>of an unexpected error in the program ({name})</source>
<translation>erreur inattendue dans le programme ({name})</translation>
</message>
<message numerus="yes">
<source>of {n} changes</source>
<translation>
<numerusform>sur {n} modification</numerusform>
<numerusform>sur {n} modifications</numerusform>
</translation>
</message>
<message>
<source>offered</source>
<translation>proposée</translation>
</message>
<message>
<source>offered, not by your choice</source>
<translation>proposée, hors de votre choix</translation>
</message>
<message>
<source>offline since {time}</source>
<translation>hors ligne depuis {time}</translation>
</message>
<message>
<source>oldest {days}</source>
<translation>la plus ancienne : {days}</translation>
</message>
<message>
<source>on a later day</source>
<translation>à une date ultérieure</translation>
</message>
<message>
<source>on an earlier day</source>
<translation>à une date passée</translation>
</message>
<message>
<source>one of the arguments {names} is required</source>
<translation>un de ces arguments est nécessaire : {names}</translation>
</message>
<message>
<source>one without a title</source>
<translation>un document sans titre</translation>
</message>
<message>
<source>only a part of the {resource} of {name} is kept here ({count}); nothing was saved. `petstore-desktop sync {typed}` reads the rest</source>
<translation>seule une partie est conservée ici pour {name} ({resource}, {count}) ; rien n’a été enregistré. `petstore-desktop sync {typed}` lit le reste</translation>
</message>
<message>
<source>only on this computer</source>
<translation>sur cet ordinateur seulement</translation>
</message>
<message>
<source>open</source>
<translation>ouverte</translation>
</message>
<message numerus="yes">
<source>open orders for more than is in stock</source>
<translation>
<numerusform>commande ouverte au-delà du stock</numerusform>
<numerusform>commandes ouvertes au-delà du stock</numerusform>
</translation>
</message>
<message>
<source>or</source>
<translation>ou</translation>
</message>
<message>
<source>or {other}</source>
<translation>ou {other}</translation>
</message>
<message>
<source>order</source>
<translation>la commande</translation>
</message>
<message>
<source>order {id}</source>
<translation>la commande {id}</translation>
</message>
<message>
<source>orders</source>
<translation>commandes</translation>
</message>
<message numerus="yes">
<source>orders are for pets that do not exist</source>
<translation>
<numerusform>commande d’un animal inexistant</numerusform>
<numerusform>commandes d’animaux inexistants</numerusform>
</translation>
</message>
<message numerus="yes">
<source>orders without a pet, quantity or date</source>
<translation>
<numerusform>commande sans animal, quantité ou date</numerusform>
<numerusform>commandes sans animal, quantité ou date</numerusform>
</translation>
</message>
<message>
<source>other answers at its path do not look like {things}</source>
<translation>d’autres réponses sur ce chemin ne ressemblent pas à des données « {things} »</translation>
</message>
<message>
<source>other answers at its path look like {things}</source>
<translation>d’autres réponses sur ce chemin ressemblent à des données « {things} »</translation>
</message>
<message>
<source>outbox queue unsent pending not sent</source>
<translation>file d’attente non envoyé en attente envoi</translation>
</message>
<message>
<source>overdue  the ship date is past, and the order is open</source>
<translation>retard  la date d’expédition est passée, et la commande est ouverte</translation>
</message>
<message>
<source>page {page} of {pages}</source>
<translation>page {page} sur {pages}</translation>
</message>
<message>
<source>pasted lines in the delivery</source>
<translation>lignes collées dans la réception</translation>
</message>
<message>
<source>paused</source>
<translation>suspendue</translation>
</message>
<message>
<source>paused {left}</source>
<translation>en pause, encore {left}</translation>
</message>
<message>
<source>pdf paper printer page</source>
<translation>pdf papier imprimante page</translation>
</message>
<message>
<source>pending</source>
<translation>réservé</translation>
</message>
<message>
<source>pending|sold  one of them      !sold  not this one</source>
<translation>réservé|vendu  l’un des deux      !vendu  pas celui-ci</translation>
</message>
<message>
<source>person</source>
<translation>utilisateur</translation>
</message>
<message>
<source>pet {id}</source>
<translation>animal {id}</translation>
</message>
<message>
<source>pets</source>
<translation>animaux</translation>
</message>
<message numerus="yes">
<source>pets with the name of another one of their category</source>
<translation>
<numerusform>animal de même nom qu’un autre de sa catégorie</numerusform>
<numerusform>animaux de même nom qu’un autre de leur catégorie</numerusform>
</translation>
</message>
<message numerus="yes">
<source>pets without a category</source>
<translation>
<numerusform>animal sans catégorie</numerusform>
<numerusform>animaux sans catégorie</numerusform>
</translation>
</message>
<message>
<source>pin lock fix frozen panes left</source>
<translation>épingler verrouiller fixer volets figés gauche</translation>
</message>
<message>
<source>plain http to {host} would show the key to others; use https (http is only for this computer)</source>
<translation>http sans chiffrement vers {host} montrerait la clé à d’autres ; utilisez https (http n’est permis que pour cet ordinateur)</translation>
</message>
<message>
<source>plan not known</source>
<translation>forfait inconnu</translation>
</message>
<message>
<source>plan {plan}</source>
<translation>forfait {plan}</translation>
</message>
<message>
<source>problem</source>
<translation>problème</translation>
</message>
<message>
<source>profile</source>
<comment>the name of a file</comment>
<translation>profil</translation>
</message>
<message>
<source>quota limit limits rate calls budget minute day</source>
<translation>quota limite limites débit appels budget minute jour</translation>
</message>
<message>
<source>read from pets</source>
<translation>lue dans les animaux</translation>
</message>
<message>
<source>read-only</source>
<translation>lecture seule</translation>
</message>
<message>
<source>reading was stopped</source>
<translation>lecture arrêtée</translation>
</message>
<message>
<source>record {id} was made with other values than were sent: {values}.</source>
<translation>la fiche {id} a été créée avec d’autres valeurs que celles envoyées : {values}.</translation>
</message>
<message>
<source>records of this kind have no field “{field}”. Discard it, and enter it again</source>
<translation>les fiches de ce type n’ont pas de champ « {field} ». Abandonnez cette modification, et entrez-la de nouveau</translation>
</message>
<message>
<source>records that were deleted here are shown again: {met}. The service kept them, or somebody made them again.</source>
<translation>des fiches supprimées ici réapparaissent : {met}. Le service les a gardées, ou quelqu’un les a recréées.</translation>
</message>
<message>
<source>refresh on screen</source>
<translation>actualisation à l’écran</translation>
</message>
<message>
<source>refused</source>
<translation>refusée</translation>
</message>
<message>
<source>refused by the service</source>
<translation>refusée par le service</translation>
</message>
<message>
<source>rehearsed</source>
<translation>simulé</translation>
</message>
<message>
<source>reload update sync synchronise fetch load</source>
<translation>recharger rafraîchir mettre à jour synchroniser charger</translation>
</message>
<message>
<source>remove</source>
<translation>enlever retirer effacer</translation>
</message>
<message>
<source>remove reset show all</source>
<translation>enlever retirer réinitialiser tout afficher</translation>
</message>
<message>
<source>removed</source>
<translation>supprimée</translation>
</message>
<message>
<source>renamed to {name}</source>
<translation>nouveau nom {name}</translation>
</message>
<message>
<source>renaming of the view {name}</source>
<translation>renommage de la vue {name}</translation>
</message>
<message>
<source>repeat same value below</source>
<translation>répéter même valeur dessous remplir</translation>
</message>
<message>
<source>repeat same value selection bulk</source>
<translation>répéter même valeur sélection masse remplir</translation>
</message>
<message>
<source>restore reset default</source>
<translation>rétablir réinitialiser défaut</translation>
</message>
<message>
<source>row {row}: {why}</source>
<translation>ligne {row} : {why}</translation>
</message>
<message>
<source>same</source>
<translation>identique</translation>
</message>
<message>
<source>same-name  another pet of its category has the same name</source>
<translation>nom-en-double  un autre animal de sa catégorie porte le même nom</translation>
</message>
<message>
<source>saved filter list</source>
<translation>filtre enregistré liste</translation>
</message>
<message>
<source>saved on this computer, not sent</source>
<translation>enregistrée sur cet ordinateur, non envoyée</translation>
</message>
<message>
<source>search find</source>
<translation>chercher trouver</translation>
</message>
<message>
<source>see `petstore-desktop decide {name}`, or the window, Activity &gt; Needs attention</source>
<translation>voir `petstore-desktop decide {name}` ou, dans la fenêtre, Activité &gt; À traiter</translation>
</message>
<message>
<source>see all categories</source>
<translation>voir toutes les catégories</translation>
</message>
<message>
<source>see all orders</source>
<translation>voir toutes les commandes</translation>
</message>
<message>
<source>see all pets</source>
<translation>voir tous les animaux</translation>
</message>
<message>
<source>see the stock</source>
<translation>voir le stock</translation>
</message>
<message>
<source>select whole columns</source>
<translation>sélectionner colonnes entières</translation>
</message>
<message>
<source>select whole rows</source>
<translation>sélectionner lignes entières</translation>
</message>
<message>
<source>sent</source>
<translation>envoyée</translation>
</message>
<message>
<source>sent elsewhere</source>
<translation>redirigée</translation>
</message>
<message>
<source>sent, but no answer came</source>
<translation>envoyée, mais sans réponse</translation>
</message>
<message>
<source>sent, then undone</source>
<translation>envoyée, puis annulée</translation>
</message>
<message>
<source>server address url api key log in login add account</source>
<translation>serveur adresse url api clé session identifiants se connecter ajouter compte</translation>
</message>
<message>
<source>server address url api key password token certificate tls openapi colour name read-only forget options setup</source>
<translation>serveur adresse url api clé mot de passe jeton certificat tls openapi couleur nom lecture seule oublier options réglages</translation>
</message>
<message>
<source>service busy for {left}</source>
<translation>service occupé, encore {left}</translation>
</message>
<message>
<source>set aside hold pending order phone call customer</source>
<translation>mettre de côté retenir réservé commande téléphone appel client</translation>
</message>
<message>
<source>settings options setup configuration theme dark light mode night colours appearance language text font size data folder database files backup</source>
<translation>paramètres réglages options configuration thème sombre clair nuit couleurs apparence langue texte taille police dossier de données base fichiers sauvegarde</translation>
</message>
<message>
<source>shortcuts keyboard manual documentation legend icons</source>
<translation>raccourcis clavier manuel aide documentation légende icônes</translation>
</message>
<message>
<source>side pane panel sidebar</source>
<translation>volet latéral panneau côté</translation>
</message>
<message>
<source>sold</source>
<translation>vendu</translation>
</message>
<message numerus="yes">
<source>sold pets still have stock</source>
<translation>
<numerusform>animal vendu encore en stock</numerusform>
<numerusform>animaux vendus encore en stock</numerusform>
</translation>
</message>
<message>
<source>sold-with-stock  the pet is sold, and has stock</source>
<translation>vendu-en-stock  l’animal est vendu, et encore en stock</translation>
</message>
<message>
<source>somebody else changes a record every {seconds} s</source>
<translation>quelqu’un d’autre modifie une fiche toutes les {seconds} s</translation>
</message>
<message>
<source>starts at label {place}</source>
<translation>à partir de l’étiquette {place}</translation>
</message>
<message>
<source>status</source>
<translation>statut</translation>
</message>
<message>
<source>status fulfil deliver done</source>
<translation>statut honorer livrer fini</translation>
</message>
<message>
<source>status {status}</source>
<translation>statut {status}</translation>
</message>
<message>
<source>stock</source>
<translation>stock</translation>
</message>
<message numerus="yes">
<source>stock entries below zero</source>
<translation>
<numerusform>fiche de stock négative</numerusform>
<numerusform>fiches de stock négatives</numerusform>
</translation>
</message>
<message numerus="yes">
<source>stock entries without a pet</source>
<translation>
<numerusform>fiche de stock sans animal</numerusform>
<numerusform>fiches de stock sans animal</numerusform>
</translation>
</message>
<message>
<source>stock of pet {id}</source>
<translation>stock de l’animal {id}</translation>
</message>
<message numerus="yes">
<source>stock of {n} pets changed</source>
<translation>
<numerusform>stock de {n} animal modifié</numerusform>
<numerusform>stock de {n} animaux modifié</numerusform>
</translation>
</message>
<message numerus="yes">
<source>stock of {n} pets changed by {pieces}</source>
<translation>
<numerusform>stock de {n} animal modifié de {pieces}</numerusform>
<numerusform>stock de {n} animaux modifié de {pieces}</numerusform>
</translation>
</message>
<message>
<source>stock set to {n}</source>
<translation>stock fixé à {n}</translation>
</message>
<message>
<source>stock-without-pet  its pet does not exist</source>
<translation>stock-sans-animal  son animal n’existe pas</translation>
</message>
<message>
<source>stopped</source>
<translation>arrêté</translation>
</message>
<message>
<source>stopped by the proxy</source>
<translation>arrêtée par le proxy</translation>
</message>
<message>
<source>support bug report version system</source>
<translation>assistance bogue rapport version système</translation>
</message>
<message>
<source>take back revert</source>
<translation>défaire revenir en arrière</translation>
</message>
<message>
<source>test after a pause</source>
<translation>test après une pause</translation>
</message>
<message>
<source>test doctor diagnose network internet proxy server offline trouble</source>
<translation>test diagnostic internet réseau proxy serveur hors ligne panne problème</translation>
</message>
<message>
<source>testing once</source>
<translation>test en cours</translation>
</message>
<message>
<source>that is set on this computer</source>
<translation>défini sur cet ordinateur</translation>
</message>
<message>
<source>the CA file {path} cannot be read ({why}); nothing was changed</source>
<translation>le fichier CA {path} ne peut pas être lu ({why}) ; rien n’a été modifié</translation>
</message>
<message>
<source>the CA file {path} is larger than {megabytes} MB; nothing was changed. Give only the certificates of the authority that the service needs</source>
<translation>le fichier CA {path} dépasse {megabytes} Mo ; rien n’a été modifié. Ne donnez que les certificats de l’autorité dont le service a besoin</translation>
</message>
<message>
<source>the OpenAPI document cannot be used ({code}, {why})</source>
<translation>le document OpenAPI est inutilisable ({code}, {why})</translation>
</message>
<message>
<source>the address holds a user name or password; give the key with --key-stdin instead</source>
<translation>l’adresse contient un nom d’utilisateur ou un mot de passe ; donnez plutôt la clé avec --key-stdin</translation>
</message>
<message>
<source>the answer holds no list of records.</source>
<translation>la réponse ne contient pas de liste de fiches.</translation>
</message>
<message>
<source>the answer holds two lists, and does not say which one is meant.</source>
<translation>la réponse contient deux listes, sans indiquer laquelle est la bonne.</translation>
</message>
<message>
<source>the answer is larger than {mb} MB; reading was stopped there.</source>
<translation>la réponse dépasse {mb} Mo ; la lecture s’est arrêtée là.</translation>
</message>
<message>
<source>the answer is nested deeper than anything that can be read.</source>
<translation>la réponse est imbriquée trop profondément pour être lue.</translation>
</message>
<message>
<source>the answer is not JSON, as data must be ({type}).</source>
<translation>la réponse n’est pas en JSON, comme les données doivent l’être ({type}).</translation>
</message>
<message>
<source>the answer is not in UTF-8, the only encoding of JSON.</source>
<translation>la réponse n’est pas en UTF-8, le seul encodage de JSON.</translation>
</message>
<message>
<source>the answer is not one of this service.</source>
<translation>la réponse ne vient pas de ce service.</translation>
</message>
<message>
<source>the answer is not valid HTTP: it broke off, or its head is too large.</source>
<translation>la réponse n’est pas du HTTP valide : elle a été coupée, ou son en-tête est trop grand.</translation>
</message>
<message>
<source>the answer is packed in a way that cannot be unpacked ({encoding}).</source>
<translation>la réponse est compressée d’une façon que le programme ne sait pas lire ({encoding}).</translation>
</message>
<message>
<source>the answer stops before its end.</source>
<translation>la réponse s’arrête avant la fin.</translation>
</message>
<message>
<source>the answer was not complete in the time that a request has.</source>
<translation>la réponse n’était pas complète dans le délai d’une requête.</translation>
</message>
<message>
<source>the categories</source>
<translation>les catégories</translation>
</message>
<message>
<source>the changes could not be saved; nothing was sent</source>
<translation>les modifications n’ont pas pu être enregistrées ; rien n’a été envoyé</translation>
</message>
<message>
<source>the characters of the file can be read in several ways; nothing was saved. Say how with --encoding, such as --encoding windows-1252, or save the file in UTF-8</source>
<translation>les caractères du fichier peuvent se lire de plusieurs façons ; rien n’a été enregistré. Indiquez l’encodage avec --encoding, par exemple --encoding windows-1252, ou enregistrez le fichier en UTF-8</translation>
</message>
<message>
<source>the connection broke before the answer came.</source>
<translation>la connexion a été coupée avant l’arrivée de la réponse.</translation>
</message>
<message>
<source>the dates can be read in two ways, 03/04 is 3 April or 4 March; nothing was saved. Say how with --dates dmy, mdy or ymd</source>
<translation>les dates peuvent se lire de deux façons, 03/04 est le 3 avril ou le 4 mars ; rien n’a été enregistré. Précisez avec --dates dmy, mdy ou ymd</translation>
</message>
<message>
<source>the day is used up</source>
<translation>les requêtes du jour sont épuisées</translation>
</message>
<message>
<source>the demo shop did not start: {why}</source>
<translation>le magasin de démonstration n’a pas démarré : {why}</translation>
</message>
<message>
<source>the demo shop is in its window alone, and no connection; `petstore-desktop demo-shop` runs one for commands, and says the address and the key for `petstore-desktop connect`</source>
<translation>le magasin démo n’est que dans sa fenêtre, ce n’est pas une connexion ; `petstore-desktop demo-shop` en lance un pour les commandes, et indique l’adresse et la clé pour `petstore-desktop connect`</translation>
</message>
<message>
<source>the document {path} cannot be read</source>
<translation>le document {path} ne peut pas être lu</translation>
</message>
<message>
<source>the file has wrong rows ({count}), and one that books in or out, or places orders, is imported whole or not at all; nothing was saved</source>
<translation>le fichier a des lignes erronées ({count}), et un fichier d’entrées et de sorties ou de nouvelles commandes est importé en entier ou pas du tout ; rien n’a été enregistré</translation>
</message>
<message>
<source>the file holds {found}, not {wanted}; nothing was saved</source>
<translation>le fichier contient {found}, et non {wanted} ; rien n’a été enregistré</translation>
</message>
<message>
<source>the file of your changes is damaged: {path}; nothing was changed. `petstore-desktop sync`, or the window, sets it aside and lists what it still tells</source>
<translation>le fichier de vos modifications est endommagé : {path} ; rien n’a été modifié. `petstore-desktop sync` ou la fenêtre le met de côté et dresse la liste de ce qui y est encore lisible</translation>
</message>
<message>
<source>the file of your changes was damaged and is kept as {file}; what was not sent yet ({count}) is listed in {list}, and is not sent by itself: make it again where it is missing</source>
<translation>le fichier de vos modifications était endommagé et est conservé sous {file} ; ce qui n’était pas encore envoyé ({count}) est listé dans {list} et n’est pas envoyé tout seul : refaites-le là où il manque</translation>
</message>
<message>
<source>the file {file} cannot be read; nothing was saved</source>
<translation>le fichier {file} ne peut pas être lu ; rien n’a été enregistré</translation>
</message>
<message>
<source>the following arguments are required: {names}</source>
<translation>ces arguments manquent : {names}</translation>
</message>
<message>
<source>the key contains characters that cannot be sent; nothing was changed</source>
<translation>la clé contient des caractères qui ne peuvent pas être envoyés ; rien n’a été modifié</translation>
</message>
<message>
<source>the key is banned</source>
<translation>la clé est bloquée</translation>
</message>
<message>
<source>the key is longer than 16,384 characters, which no service takes; nothing was changed</source>
<translation>la clé dépasse 16 384 caractères, ce qu’aucun service n’accepte ; rien n’a été modifié</translation>
</message>
<message>
<source>the key may not do this ({message})</source>
<translation>la clé n’a pas ce droit ({message})</translation>
</message>
<message>
<source>the lines that are here</source>
<translation>les lignes présentes ici</translation>
</message>
<message>
<source>the list does not end: the service announced {total} records, and sent {met}. Reading stopped; the rows that came stay.</source>
<translation>la liste n’en finit pas : le service avait annoncé {total} fiches, et en a envoyé {met}. La lecture s’est arrêtée ; les lignes arrivées restent.</translation>
</message>
<message>
<source>the list does not end: {met} records came. Reading stopped; these rows stay.</source>
<translation>la liste n’en finit pas : {met} fiches sont arrivées. La lecture s’est arrêtée ; ces lignes restent.</translation>
</message>
<message>
<source>the list may be {what} as well. Choose the list first: File &gt; Operations, or `connect --profile`</source>
<translation>la liste peut aussi être {what}. Choisissez d’abord la liste : Fichier &gt; Opérations, ou `connect --profile`</translation>
</message>
<message>
<source>the minute is used up</source>
<translation>les requêtes de la minute sont épuisées</translation>
</message>
<message>
<source>the name of one of its fields is a guess. Choose the name under File &gt; Operations &gt; Fields</source>
<translation>le nom d’un de ses champs est deviné. Choisissez-le sous Fichier &gt; Opérations &gt; Champs</translation>
</message>
<message>
<source>the next refresh waits</source>
<translation>la prochaine actualisation attend</translation>
</message>
<message>
<source>the next refresh waits ({why})</source>
<translation>la prochaine actualisation attend ({why})</translation>
</message>
<message>
<source>the numbers can be read in two ways, 1.200 is twelve hundred or 1 and a fraction; nothing was saved. Say how with --numbers point or comma</source>
<translation>les nombres peuvent se lire de deux façons, 1.200 est mille deux cents ou 1 et des décimales ; rien n’a été enregistré. Précisez avec --numbers point ou comma</translation>
</message>
<message>
<source>the old value is not known</source>
<translation>l’ancienne valeur est inconnue</translation>
</message>
<message>
<source>the orders</source>
<translation>les commandes</translation>
</message>
<message>
<source>the pets</source>
<translation>les animaux</translation>
</message>
<message>
<source>the pet’s id</source>
<translation>identifiant de l’animal</translation>
</message>
<message>
<source>the pet’s name, as there is no column with ids</source>
<translation>nom de l’animal, faute de colonne d’identifiants</translation>
</message>
<message>
<source>the plan {plan} has its own limits; --per-minute and --per-day go with --plan enterprise, or with a connection whose plan is not known</source>
<translation>le forfait {plan} a ses propres limites ; --per-minute et --per-day vont avec --plan enterprise, ou avec une connexion dont le forfait n’est pas connu</translation>
</message>
<message>
<source>the program is already running on {path}; use its window, or close it first</source>
<translation>le programme utilise déjà {path} ; servez-vous de sa fenêtre, ou fermez-le d’abord</translation>
</message>
<message>
<source>the program that runs on this data folder has not opened {name}; open it there (Shop &gt; Switch to another shop), or close the program. Nothing was saved</source>
<translation>le programme qui utilise ce dossier de données n’a pas ouvert {name} ; ouvrez-le là (Magasin &gt; Changer de magasin), ou fermez le programme. Rien n’a été enregistré</translation>
</message>
<message>
<source>the program that runs on this data folder is of another version; close it first. Nothing was saved</source>
<translation>le programme qui utilise ce dossier de données est d’une autre version ; fermez-le d’abord. Rien n’a été enregistré</translation>
</message>
<message>
<source>the quantity would be larger than a service can hold</source>
<translation>la quantité dépasserait ce qu’un service peut contenir</translation>
</message>
<message>
<source>the record in the answer cannot be read: {why}.</source>
<translation>la fiche contenue dans la réponse ne peut pas être lue : {why}.</translation>
</message>
<message>
<source>the record in the service’s answer cannot be read: {why}</source>
<translation>la fiche dans la réponse du service ne peut pas être lue : {why}</translation>
</message>
<message>
<source>the record is different</source>
<translation>la fiche est différente</translation>
</message>
<message>
<source>the record is gone from the service</source>
<translation>la fiche n’existe plus dans le service</translation>
</message>
<message>
<source>the record is gone, or the service has removed this</source>
<translation>la fiche n’existe plus, ou le service a supprimé cette opération</translation>
</message>
<message>
<source>the record that it belongs to was never created</source>
<translation>la fiche dont elle dépend n’a jamais été créée</translation>
</message>
<message>
<source>the request</source>
<translation>la requête</translation>
</message>
<message>
<source>the rest of today’s requests is kept for your changes</source>
<translation>le reste des requêtes du jour est réservé à vos modifications</translation>
</message>
<message>
<source>the service</source>
<translation>le service</translation>
</message>
<message>
<source>the service answered with an error instead of data.</source>
<translation>le service a répondu par une erreur au lieu de données.</translation>
</message>
<message>
<source>the service answered with an error, and nothing was changed</source>
<translation>le service a répondu par une erreur, et rien n’a été modifié</translation>
</message>
<message>
<source>the service answered with record {id}, which may have been changed instead. Look at both records</source>
<translation>le service a répondu avec la fiche {id}, qui a peut-être été modifiée à la place. Examinez les deux fiches</translation>
</message>
<message>
<source>the service answered with the old value</source>
<translation>le service a répondu avec l’ancienne valeur</translation>
</message>
<message>
<source>the service answered {status}: {message}</source>
<translation>le service a répondu {status} : {message}</translation>
</message>
<message>
<source>the service asked to wait</source>
<translation>le service a demandé d’attendre</translation>
</message>
<message>
<source>the service asks to wait ({message}); nothing more is sent until then</source>
<translation>le service demande d’attendre ({message}) ; rien de plus n’est envoyé jusque-là</translation>
</message>
<message>
<source>the service cannot be reached</source>
<translation>le service est injoignable</translation>
</message>
<message>
<source>the service changed something else as well: {theirs}</source>
<translation>le service a aussi modifié autre chose : {theirs}</translation>
</message>
<message>
<source>the service did not say that it was done, and nothing was changed</source>
<translation>le service n’a pas confirmé, et rien n’a été modifié</translation>
</message>
<message>
<source>the service did only a part of it. Still as before: {theirs}</source>
<translation>le service n’en a fait qu’une partie. Toujours comme avant : {theirs}</translation>
</message>
<message>
<source>the service did something else than was sent with an earlier change of this kind. Decide about that one, or send this again</source>
<translation>pour une modification antérieure de ce type, le service a fait autre chose que ce qui avait été envoyé. Décidez pour celle-là, ou renvoyez celle-ci</translation>
</message>
<message>
<source>the service does not accept the key</source>
<translation>le service n’accepte pas la clé</translation>
</message>
<message>
<source>the service does not show this record, so it cannot be changed safely</source>
<translation>le service ne montre pas cette fiche ; elle ne peut donc pas être modifiée sans risque</translation>
</message>
<message>
<source>the service emptied what was not to be changed: {theirs}</source>
<translation>le service a vidé ce qui ne devait pas être modifié : {theirs}</translation>
</message>
<message>
<source>the service has no such record</source>
<translation>le service n’a pas cette fiche</translation>
</message>
<message>
<source>the service has removed this</source>
<translation>le service a supprimé cette opération</translation>
</message>
<message>
<source>the service has something else than was sent: {theirs}</source>
<translation>le service a autre chose que ce qui a été envoyé : {theirs}</translation>
</message>
<message>
<source>the service redirected it to {target}, which the program does not follow</source>
<translation>le service l’a redirigée vers {target}, et le programme ne suit pas</translation>
</message>
<message>
<source>the service redirects in a circle; check the address, or ask its provider</source>
<translation>le service redirige en boucle ; vérifiez l’adresse, ou demandez à son fournisseur</translation>
</message>
<message>
<source>the service redirects to {target}; the program does not follow, and neither request nor key went there. If it has moved, give its new address with `connect --url`</source>
<translation>le service redirige vers {target} ; le programme ne suit pas, et ni requête ni clé n’y sont allées. S’il a changé d’adresse, donnez la nouvelle avec `connect --url`</translation>
</message>
<message>
<source>the service redirects, but does not say where to; ask its provider for the new address, and give it with `connect --url`</source>
<translation>le service redirige, mais ne dit pas où ; demandez la nouvelle adresse à son fournisseur et donnez-la avec `connect --url`</translation>
</message>
<message>
<source>the service rejected the key ({message}); nothing was lost. Give another with `connect --key-stdin`</source>
<translation>le service a refusé la clé ({message}) ; rien n’est perdu. Donnez-en une autre avec `connect --key-stdin`</translation>
</message>
<message>
<source>the service rejected the key in PETSTORE_API_KEY ({message}); nothing was lost. Put another one in that variable, or unset it to use the key in the keyring</source>
<translation>le service a refusé la clé de PETSTORE_API_KEY ({message}) ; rien n’est perdu. Mettez-en une autre dans cette variable, ou supprimez-la pour utiliser la clé du trousseau</translation>
</message>
<message>
<source>the service rejected the key {key} ({message}); nothing was lost. Give another with `connect --further-key`</source>
<translation>le service a refusé la clé {key} ({message}) ; rien n’est perdu. Donnez-en une autre avec `connect --further-key`</translation>
</message>
<message>
<source>the service says that the record is gone, and still shows it</source>
<translation>le service dit que la fiche n’existe plus, et l’affiche encore</translation>
</message>
<message>
<source>the service sent an empty answer instead of data.</source>
<translation>le service a envoyé une réponse vide au lieu de données.</translation>
</message>
<message>
<source>the service showed another record than the one asked for</source>
<translation>le service a montré une autre fiche que celle demandée</translation>
</message>
<message>
<source>the service stopped answering before the answer was complete.</source>
<translation>le service a cessé de répondre avant que la réponse soit complète.</translation>
</message>
<message>
<source>the service takes no requests just now</source>
<translation>le service n’accepte pas de requêtes en ce moment</translation>
</message>
<message>
<source>the service wants another key too: {key}; give it with `connect --further-key`</source>
<translation>le service demande aussi une autre clé : {key} ; donnez-la avec `connect --further-key`</translation>
</message>
<message>
<source>the service wants the whole record, and it has not been read yet</source>
<translation>le service exige la fiche entière, et elle n’a pas encore été lue</translation>
</message>
<message>
<source>the service’s answer broke off</source>
<translation>la réponse du service a été coupée</translation>
</message>
<message>
<source>the service’s answer could not be read</source>
<translation>la réponse du service n’a pas pu être lue</translation>
</message>
<message>
<source>the service’s answer could not be read, and nothing was changed</source>
<translation>la réponse du service n’a pas pu être lue, et rien n’a été modifié</translation>
</message>
<message>
<source>the service’s answer held no list</source>
<translation>la réponse du service ne contenait pas de liste</translation>
</message>
<message>
<source>the service’s answer was empty</source>
<translation>la réponse du service était vide</translation>
</message>
<message>
<source>the service’s answer was too large</source>
<translation>la réponse du service était trop grande</translation>
</message>
<message>
<source>the stock</source>
<translation>le stock</translation>
</message>
<message>
<source>the system’s</source>
<translation>ceux du système</translation>
</message>
<message>
<source>the variable PETSTORE_API_KEY</source>
<translation>la variable PETSTORE_API_KEY</translation>
</message>
<message>
<source>there are changes for the service at {address}, which this connection used before ({count}); they are kept in {path} and are sent when the connection has that address again</source>
<translation>il y a des modifications pour le service à {address}, que cette connexion utilisait avant ({count}) ; elles sont conservées dans {path} et partiront quand la connexion aura de nouveau cette adresse</translation>
</message>
<message>
<source>there is no connection called {name}; `petstore-desktop connections` lists them</source>
<translation>aucune connexion ne s’appelle {name} ; `petstore-desktop connections` les liste</translation>
</message>
<message>
<source>there is no connection called {name}; did you mean {alike}? `petstore-desktop connections` lists them</source>
<translation>aucune connexion ne s’appelle {name} ; vouliez-vous dire {alike} ? `petstore-desktop connections` les liste</translation>
</message>
<message>
<source>there is no file {file}; nothing was saved</source>
<translation>le fichier {file} n’existe pas ; rien n’a été enregistré</translation>
</message>
<message>
<source>there is no file {path}; nothing was changed. Give a file with certificates in PEM form</source>
<translation>le fichier {path} n’existe pas ; rien n’a été modifié. Donnez un fichier de certificats au format PEM</translation>
</message>
<message>
<source>there is no key for {name}, so nothing was sent</source>
<translation>il n’y a pas de clé pour {name}, donc rien n’a été envoyé</translation>
</message>
<message>
<source>there is no key for {name}; give it with `petstore-desktop connect {typed} --url {url} --key-stdin`</source>
<translation>il n’y a pas de clé pour {name} ; donnez-la avec `petstore-desktop connect {typed} --url {url} --key-stdin`</translation>
</message>
<message>
<source>there is no key that works</source>
<translation>aucune clé ne fonctionne</translation>
</message>
<message>
<source>there is no network, or the service is away</source>
<translation>pas de réseau, ou service absent</translation>
</message>
<message>
<source>there is no pet {pet}; did you mean {could}?</source>
<translation>il n’y a pas d’animal {pet} ; vouliez-vous dire {could} ?</translation>
</message>
<message>
<source>there is no pet {pet}; give its id, or its name as it is written in the list</source>
<translation>il n’y a pas d’animal {pet} ; donnez son identifiant, ou son nom tel qu’il est écrit dans la liste</translation>
</message>
<message>
<source>there is no profile {path}, and no such file; those that come with the program are called {names}</source>
<translation>il n’y a ni profil {path} ni fichier de ce nom ; ceux qui sont fournis s’appellent {names}</translation>
</message>
<message>
<source>there is nothing to decide about it</source>
<translation>il n’y a rien à décider à ce sujet</translation>
</message>
<message>
<source>there was no look at the record shortly before it, because answers or the limit of requests took too long, and a change by somebody else could have been overwritten. Sent again, it rests on what was last seen</source>
<translation>la fiche n’a pas pu être lue juste avant, car les réponses ou la limite de requêtes ont pris trop de temps ; une modification faite par quelqu’un d’autre aurait pu être écrasée. Un nouvel envoi s’appuiera sur ce qui a été vu en dernier</translation>
</message>
<message numerus="yes">
<source>these {n} filters</source>
<translation>
<numerusform>ce filtre</numerusform>
<numerusform>ces {n} filtres</numerusform>
</translation>
</message>
<message>
<source>they were entered before the program was started; change or remove a line itself</source>
<translation>elles ont été saisies avant le démarrage du programme ; modifiez ou retirez la ligne elle-même</translation>
</message>
<message>
<source>this address belongs to another server than the service's own; nothing was sent there</source>
<translation>cette adresse appartient à un autre serveur que celui du service ; rien n’y a été envoyé</translation>
</message>
<message>
<source>this answer could not be written to standard output ({why})</source>
<translation>cette réponse n’a pas pu être écrite sur la sortie standard ({why})</translation>
</message>
<message>
<source>this cannot be understood ({code})</source>
<translation>impossible à comprendre ({code})</translation>
</message>
<message>
<source>this computer has no keyring that can store a key; nothing was stored, neither key nor connection. Connect without --key-stdin, and give the key in the variable PETSTORE_API_KEY or in the window</source>
<translation>cet ordinateur n’a pas de trousseau pouvant stocker une clé ; rien n’a été stocké, ni clé ni connexion. Connectez sans --key-stdin, et donnez la clé dans la variable PETSTORE_API_KEY ou dans la fenêtre</translation>
</message>
<message>
<source>this service does not bring back what was deleted</source>
<translation>ce service ne rétablit pas ce qui a été supprimé</translation>
</message>
<message>
<source>this service does not delete what was created</source>
<translation>ce service ne supprime pas ce qui a été créé</translation>
</message>
<message>
<source>this service does not offer it</source>
<translation>ce service ne le propose pas</translation>
</message>
<message>
<source>this service does not offer that</source>
<translation>ce service ne propose pas cela</translation>
</message>
<message>
<source>this service no longer takes such changes</source>
<translation>ce service n’accepte plus de telles modifications</translation>
</message>
<message>
<source>timed out</source>
<translation>délai dépassé</translation>
</message>
<message>
<source>times in {zone}</source>
<translation>heures en {zone}</translation>
</message>
<message>
<source>to ship on {day}</source>
<translation>à expédier le {day}</translation>
</message>
<message>
<source>today</source>
<translation>aujourd’hui</translation>
</message>
<message>
<source>today</source>
<comment>a ship date</comment>
<translation>aujourd'hui</translation>
</message>
<message>
<source>today   yesterday   tomorrow   this week   last week   next week   this month   last month</source>
<translation>aujourd'hui   hier   demain   cette semaine   semaine dernière   semaine prochaine   ce mois   mois dernier</translation>
</message>
<message>
<source>today included</source>
<translation>aujourd’hui compris</translation>
</message>
<message>
<source>tomorrow</source>
<comment>a ship date</comment>
<translation>demain</translation>
</message>
<message>
<source>too many requests</source>
<translation>trop de requêtes</translation>
</message>
<message>
<source>took too long</source>
<translation>trop long</translation>
</message>
<message>
<source>unchanged</source>
<translation>inchangée</translation>
</message>
<message>
<source>unclear, read only</source>
<translation>incertain, lecture seule</translation>
</message>
<message>
<source>unconfirmed</source>
<translation>non confirmée</translation>
</message>
<message>
<source>undone</source>
<translation>annulée</translation>
</message>
<message>
<source>unfreeze unpin unlock frozen panes</source>
<translation>dégeler détacher déverrouiller volets figés</translation>
</message>
<message>
<source>unknown</source>
<translation>inconnu</translation>
</message>
<message>
<source>unknown type</source>
<translation>type inconnu</translation>
</message>
<message>
<source>unrecognized arguments: {words}</source>
<translation>arguments inconnus : {words}</translation>
</message>
<message>
<source>unsent  saved on this computer, not sent</source>
<translation>non-envoyé  enregistré sur cet ordinateur, pas envoyé</translation>
</message>
<message>
<source>until {time}</source>
<translation>jusqu’à {time}</translation>
</message>
<message numerus="yes">
<source>up to {n} requests</source>
<translation>
<numerusform>jusqu’à {n} requête</numerusform>
<numerusform>jusqu’à {n} requêtes</numerusform>
</translation>
</message>
<message>
<source>used</source>
<comment>of a place on a sheet of labels</comment>
<translation>utilisé</translation>
</message>
<message>
<source>various</source>
<comment>several different changes</comment>
<translation>divers</translation>
</message>
<message>
<source>verify fresh current now</source>
<translation>contrôler frais actuel maintenant</translation>
</message>
<message>
<source>version licence license information</source>
<translation>version licence informations</translation>
</message>
<message>
<source>versions past earlier audit</source>
<translation>versions passé ancien audit</translation>
</message>
<message>
<source>views</source>
<comment>the name of a file</comment>
<translation>vues</translation>
</message>
<message>
<source>waiting</source>
<translation>en attente</translation>
</message>
<message>
<source>waits</source>
<translation>en attente</translation>
</message>
<message>
<source>waits ({why})</source>
<translation>en attente ({why})</translation>
</message>
<message>
<source>waits for its turn</source>
<translation>attend son tour</translation>
</message>
<message>
<source>waits for its turn, until {time}</source>
<translation>attend son tour, jusqu’à {time}</translation>
</message>
<message>
<source>waits for the minute’s requests</source>
<translation>attend les requêtes de la minute suivante</translation>
</message>
<message>
<source>waits for the minute’s requests, until {time}</source>
<translation>attend les requêtes de la minute suivante, jusqu’à {time}</translation>
</message>
<message>
<source>waits for the next day’s requests</source>
<translation>attend les requêtes du jour suivant</translation>
</message>
<message>
<source>waits for the next day’s requests, until {time}</source>
<translation>attend les requêtes du jour suivant, jusqu’à {time}</translation>
</message>
<message>
<source>waits until sending resumes</source>
<translation>attend la reprise de l’envoi</translation>
</message>
<message>
<source>waits until the service can be reached</source>
<translation>attend que le service puisse être joint</translation>
</message>
<message>
<source>weekly monthly week month pdf paper printer figures summary statistics</source>
<translation>hebdomadaire mensuel semaine mois pdf papier imprimante chiffres résumé bilan statistiques</translation>
</message>
<message>
<source>what is kept on this computer is unchanged</source>
<translation>ce qui est conservé sur cet ordinateur est inchangé</translation>
</message>
<message>
<source>what was sent is not what the service shows now, of records: {met}. It said that it did it and did not, or somebody changed them since.</source>
<translation>ce qui a été envoyé n’est pas ce que le service montre maintenant, pour des fiches : {met}. Il a dit l’avoir fait et ne l’a pas fait, ou quelqu’un les a modifiées depuis.</translation>
</message>
<message>
<source>width order default restore</source>
<translation>largeur ordre défaut rétablir</translation>
</message>
<message>
<source>width resize</source>
<translation>largeur taille</translation>
</message>
<message>
<source>with other statuses</source>
<translation>avec d’autres statuts</translation>
</message>
<message>
<source>without a name</source>
<translation>sans nom</translation>
</message>
<message>
<source>without a status</source>
<translation>sans statut</translation>
</message>
<message>
<source>without-category  it has none, or one that does not exist</source>
<translation>sans-catégorie  il n’en a pas, ou elle n’existe pas</translation>
</message>
<message>
<source>wrong</source>
<translation>erroné</translation>
</message>
<message>
<source>yes</source>
<translation>oui</translation>
</message>
<message>
<source>yesterday</source>
<translation>hier</translation>
</message>
<message>
<source>yesterday {time}</source>
<translation>hier à {time}</translation>
</message>
<message>
<source>your changes go first</source>
<translation>vos modifications passent d’abord</translation>
</message>
<message>
<source>{action}: {job}</source>
<translation>{action} : {job}</translation>
</message>
<message>
<source>{action}: {why}</source>
<translation>{action} : {why}</translation>
</message>
<message numerus="yes">
<source>{added}, {n} cannot be used</source>
<translation>
<numerusform>{added}, {n} inutilisable</numerusform>
<numerusform>{added}, {n} inutilisables</numerusform>
</translation>
</message>
<message>
<source>{address} is not an http(s) address; give the service's base address, such as https://shop.example/v1</source>
<translation>{address} n’est pas une adresse http(s) ; donnez l’adresse de base du service, par exemple https://shop.example/v1</translation>
</message>
<message>
<source>{alike}, but only by its fields: it is not used unless you choose it.</source>
<translation>{alike}, mais seulement par ses champs : rien n’en est utilisé tant que vous ne l’avez pas choisi.</translation>
</message>
<message>
<source>{answer}, then {why}</source>
<translation>{answer}, puis {why}</translation>
</message>
<message>
<source>{banned} Your changes are saved on this computer.</source>
<translation>{banned} Vos modifications sont enregistrées sur cet ordinateur.</translation>
</message>
<message>
<source>{base} at the shop</source>
<translation>{base} au magasin</translation>
</message>
<message>
<source>{before} → {after}</source>
<translation>{before} → {after}</translation>
</message>
<message numerus="yes">
<source>{bound} of {n} operations can be used.</source>
<translation>
<numerusform>Opérations utilisables : {bound} sur {n}.</numerusform>
<numerusform>Opérations utilisables : {bound} sur {n}.</numerusform>
</translation>
</message>
<message>
<source>{category} {n} of {total}</source>
<translation>{category} : {n} sur {total}</translation>
</message>
<message>
<source>{category}, {id}</source>
<translation>{category}, {id}</translation>
</message>
<message numerus="yes">
<source>{changes} are not sent yet and will never be.</source>
<translation>
<numerusform>{changes} n’est pas encore envoyée et ne le sera jamais.</numerusform>
<numerusform>{changes} ne sont pas encore envoyées et ne le seront jamais.</numerusform>
</translation>
</message>
<message>
<source>{changes} discarded</source>
<translation>Abandon : {changes}</translation>
</message>
<message>
<source>{changes} not sent yet are counted in.</source>
<translation>Y compris {changes} en attente d’envoi.</translation>
</message>
<message>
<source>{changes} sent</source>
<translation>envoyé : {changes}</translation>
</message>
<message>
<source>{changes} to send</source>
<translation>à envoyer : {changes}</translation>
</message>
<message numerus="yes">
<source>{changes} were not sent.</source>
<translation>
<numerusform>{changes} n’a pas été envoyée.</numerusform>
<numerusform>{changes} n’ont pas été envoyées.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{change} and {n} more changes</source>
<translation>
<numerusform>{change} et {n} autre modification</numerusform>
<numerusform>{change} et {n} autres modifications</numerusform>
</translation>
</message>
<message>
<source>{change} not sent</source>
<translation>{change} : pas envoyé</translation>
</message>
<message>
<source>{change} since, which stays</source>
<translation>{change} depuis, conservé</translation>
</message>
<message>
<source>{chip} of {record}</source>
<translation>{chip} pour {record}</translation>
</message>
<message>
<source>{code} is forgotten</source>
<translation>{code} est oublié</translation>
</message>
<message>
<source>{code} is {pet} from now on</source>
<translation>{code} désigne désormais {pet}</translation>
</message>
<message>
<source>{code}: {pets}</source>
<translation>{code} : {pets}</translation>
</message>
<message>
<source>{column} cannot be edited here.</source>
<translation>La colonne {column} ne se modifie pas ici.</translation>
</message>
<message>
<source>{column}: sum {sum}</source>
<translation>{column} : somme {sum}</translation>
</message>
<message>
<source>{column}: sum {sum}, {least} to {most}</source>
<translation>{column} : somme {sum}, de {least} à {most}</translation>
</message>
<message numerus="yes">
<source>{column}: {n} numbers, sum {sum}, least {least}, most {most}</source>
<translation>
<numerusform>{column} : {n} nombre, somme {sum}, min. {least}, max. {most}</numerusform>
<numerusform>{column} : {n} nombres, somme {sum}, min. {least}, max. {most}</numerusform>
</translation>
</message>
<message>
<source>{column}: {why}</source>
<translation>{column} : {why}</translation>
</message>
<message numerus="yes">
<source>{counts} and {n} others</source>
<translation>
<numerusform>{counts}, autres : {n}</numerusform>
<numerusform>{counts}, autres : {n}</numerusform>
</translation>
</message>
<message>
<source>{count} in stock since {time}, {before} before.</source>
<translation>{count} en stock depuis {time}, {before} avant.</translation>
</message>
<message>
<source>{count} in stock since {time}.</source>
<translation>{count} en stock depuis {time}.</translation>
</message>
<message>
<source>{count} of {total} changes</source>
<comment>the last line of a file</comment>
<translation>{count} modifications sur {total}</translation>
</message>
<message>
<source>{count} pets could be meant by {pet}: {could}; give the id with a # before it</source>
<translation>{count} animaux peuvent correspondre à {pet} : {could} ; donnez l’identifiant précédé d’un #</translation>
</message>
<message>
<source>{count} {status}</source>
<translation>{status} : {count}</translation>
</message>
<message>
<source>{count} {words}</source>
<translation>{count} {words}</translation>
</message>
<message>
<source>{count}, to ship on {day}</source>
<translation>{count}, à expédier le {day}</translation>
</message>
<message>
<source>{days} late</source>
<translation>{days} de retard</translation>
</message>
<message>
<source>{days} {hours}</source>
<translation>{days} {hours}</translation>
</message>
<message>
<source>{day}   &gt;{day}   {day}..{last}</source>
<translation>{day}   &gt;{day}   {day}..{last}</translation>
</message>
<message numerus="yes">
<source>{day} was {n} days ago.</source>
<translation>
<numerusform>{day}, c’était hier.</numerusform>
<numerusform>{day}, c’était il y a {n} jours.</numerusform>
</translation>
</message>
<message>
<source>{day} {time}</source>
<translation>{day} à {time}</translation>
</message>
<message>
<source>{day}, {distance}</source>
<translation>{day}, {distance}</translation>
</message>
<message>
<source>{day}, {time}</source>
<translation>{day}, {time}</translation>
</message>
<message>
<source>{day}: no orders</source>
<translation>{day} : aucune commande</translation>
</message>
<message>
<source>{day}: {counts}</source>
<translation>{day} : {counts}</translation>
</message>
<message numerus="yes">
<source>{done} of {n} labels</source>
<comment>painted</comment>
<translation>
<numerusform>{done} sur {n} étiquette</numerusform>
<numerusform>{done} sur {n} étiquettes</numerusform>
</translation>
</message>
<message>
<source>{done} of {total}</source>
<translation>{done} sur {total}</translation>
</message>
<message>
<source>{done}. Nothing more of this kind is sent until you send this again</source>
<translation>{done}. Plus rien de ce type n’est envoyé tant que vous n’avez pas renvoyé cette modification</translation>
</message>
<message>
<source>{endpoint} (careful: {why})</source>
<translation>{endpoint} (attention : {why})</translation>
</message>
<message>
<source>{endpoint} looks like {things}</source>
<translation>{endpoint} ressemble à des données « {things} »</translation>
</message>
<message>
<source>{endpoint} was not taken: {why}.</source>
<translation>{endpoint} n’a pas été retenu : {why}.</translation>
</message>
<message>
<source>{field} is {value}</source>
<translation>{field} vaut {value}</translation>
</message>
<message>
<source>{field} of {record}</source>
<translation>{field} : {record}</translation>
</message>
<message>
<source>{field} of {things} is read as {name}, and written as {written}.</source>
<translation>{field} ({things}) est lu dans {name} et écrit dans {written}.</translation>
</message>
<message>
<source>{field} of {things} is read from {name}, a guess by its name; choose it in File &gt; Operations to change it.</source>
<translation>{field} (« {things} ») est lu dans {name}, deviné d’après son nom ; pour pouvoir le modifier, choisissez-le dans Fichier &gt; Opérations.</translation>
</message>
<message>
<source>{field} {change}</source>
<comment>a field and by how much it changes</comment>
<translation>{field} {change}</translation>
</message>
<message>
<source>{field}: {value}</source>
<translation>{field} : {value}</translation>
</message>
<message>
<source>{file} (of the service at {address})</source>
<translation>{file} (du service à l’adresse {address})</translation>
</message>
<message>
<source>{file} cannot be read or written.</source>
<translation>{file} ne peut pas être lu ou écrit.</translation>
</message>
<message>
<source>{file} could not be upgraded for this version of the program.</source>
<translation>{file} n’a pas pu être mis à niveau pour cette version du programme.</translation>
</message>
<message>
<source>{file} is damaged.</source>
<translation>{file} est endommagé.</translation>
</message>
<message>
<source>{file} is in use by another program.</source>
<translation>{file} est utilisé par un autre programme.</translation>
</message>
<message>
<source>{file} is not a file: it is a folder, a pipe, a device, or a link that leads nowhere.</source>
<translation>{file} n’est pas un fichier : c’est un dossier, un tube, un périphérique ou un lien qui ne mène nulle part.</translation>
</message>
<message>
<source>{file} is not there any more.</source>
<translation>{file} n’est plus là.</translation>
</message>
<message>
<source>{file} is write-protected.</source>
<translation>{file} est protégé en écriture.</translation>
</message>
<message>
<source>{file} was written by a later version of this program.</source>
<translation>{file} a été écrit par une version plus récente de ce programme.</translation>
</message>
<message>
<source>{filters}: clear all filters.</source>
<translation>{filters} : effacer tous les filtres.</translation>
</message>
<message>
<source>{filter}: clear this filter.</source>
<translation>{filter} : effacer ce filtre.</translation>
</message>
<message>
<source>{first} – {last}</source>
<comment>from one day to another</comment>
<translation>{first} – {last}</translation>
</message>
<message>
<source>{found} of {all}</source>
<translation>{found} sur {all}</translation>
</message>
<message>
<source>{group}, collapsed</source>
<translation>{group}, réduit</translation>
</message>
<message>
<source>{group}, expanded</source>
<translation>{group}, développé</translation>
</message>
<message>
<source>{head}, {note}</source>
<translation>{head}, {note}</translation>
</message>
<message>
<source>{head}: {names}</source>
<translation>{head} : {names}</translation>
</message>
<message numerus="yes">
<source>{head}: {n}</source>
<translation>
<numerusform>{head} : {n}</numerusform>
<numerusform>{head} : {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{head}: {n}, {names}</source>
<translation>
<numerusform>{head} : {n}, {names}</numerusform>
<numerusform>{head} : {n}, {names}</numerusform>
</translation>
</message>
<message>
<source>{host} answers without encryption at this port.</source>
<translation>{host} répond sans chiffrement sur ce port.</translation>
</message>
<message>
<source>{host} broke off before the connection was secure.</source>
<translation>{host} a coupé avant que la connexion soit sécurisée.</translation>
</message>
<message>
<source>{host} cannot be looked up: this computer seems to be offline.</source>
<translation>{host} est introuvable : cet ordinateur semble hors ligne.</translation>
</message>
<message>
<source>{host} cannot be reached ({why}); nothing was sent. It is tried again by itself</source>
<translation>{host} est injoignable ({why}) ; rien n’a été envoyé. Le programme réessaie de lui-même</translation>
</message>
<message>
<source>{host} cannot be reached.</source>
<translation>{host} ne peut pas être joint.</translation>
</message>
<message>
<source>{host} cannot be reached: nothing answers there. It may be down, or the port wrong.</source>
<translation>{host} ne peut pas être joint : rien n’y répond. Le serveur est peut-être arrêté, ou le port faux.</translation>
</message>
<message>
<source>{host} did not answer in time.</source>
<translation>{host} n’a pas répondu à temps.</translation>
</message>
<message>
<source>{host} offers only outdated encryption, which is no longer safe.</source>
<translation>{host} ne propose qu’un chiffrement dépassé, qui n’est plus sûr.</translation>
</message>
<message>
<source>{hours} {minutes}</source>
<translation>{hours} {minutes}</translation>
</message>
<message>
<source>{job}: {done}</source>
<translation>{job} – {done}</translation>
</message>
<message>
<source>{key} (header {name})</source>
<translation>{key} (en-tête {name})</translation>
</message>
<message>
<source>{key} (in the address, as {name})</source>
<translation>{key} (dans l’adresse, sous le nom {name})</translation>
</message>
<message>
<source>{kind}: {sum}</source>
<comment>the title of a list of changes</comment>
<translation>{kind} : {sum}</translation>
</message>
<message>
<source>{known} {cost}</source>
<translation>{known} {cost}</translation>
</message>
<message>
<source>{labels}, {sheets}</source>
<translation>{labels}, {sheets}</translation>
</message>
<message>
<source>{label}: {text}</source>
<translation>{label} : {text}</translation>
</message>
<message>
<source>{left} left</source>
<translation>{left} restantes</translation>
</message>
<message>
<source>{left} left, {ends}</source>
<translation>{left} restantes, {ends}</translation>
</message>
<message>
<source>{left} of {limit} are left, for Refresh and Check live.</source>
<translation>Il en reste {left} sur {limit}, pour Actualiser et Vérifier en direct.</translation>
</message>
<message>
<source>{left} of {limit} left</source>
<translation>{left} sur {limit} restantes</translation>
</message>
<message>
<source>{length} ahead of this computer’s</source>
<translation>en avance de {length} sur celle de cet ordinateur</translation>
</message>
<message>
<source>{length} behind this computer’s</source>
<translation>en retard de {length} sur celle de cet ordinateur</translation>
</message>
<message>
<source>{length} mm</source>
<translation>{length} mm</translation>
</message>
<message>
<source>{limits}, {scene}.</source>
<translation>{limits}, {scene}.</translation>
</message>
<message>
<source>{limits}.</source>
<translation>{limits}.</translation>
</message>
<message>
<source>{line} · the service counts {counts} {age}</source>
<translation>{line} · décompte du service : {counts} ({age})</translation>
</message>
<message>
<source>{list}, {field}: not found in the service’s records.</source>
<translation>{list}, {field} : introuvable dans les fiches du service.</translation>
</message>
<message>
<source>{list}, {field}: read from {name}, which is a guess. To change it here, choose the name.</source>
<translation>{list}, {field} : lu dans {name}, un nom deviné. Pour le modifier ici, choisissez le nom.</translation>
</message>
<message>
<source>{list}, {field}: read from {name}.</source>
<translation>{list}, {field} : lu dans {name}.</translation>
</message>
<message>
<source>{list}: the program cannot tell which record a change would reach, because {name} can mean two things. A profile settles it.</source>
<translation>{list} : le programme ne peut pas savoir quelle fiche une modification toucherait, car {name} peut signifier deux choses. Un profil le précise.</translation>
</message>
<message>
<source>{low} of {total}</source>
<translation>{low} sur {total}</translation>
</message>
<message>
<source>{more}: {title}</source>
<translation>{more} : {title}</translation>
</message>
<message>
<source>{names} and {last}</source>
<translation>{names} et {last}</translation>
</message>
<message numerus="yes">
<source>{names} and {n} more</source>
<translation>
<numerusform>{names} et {n} autre</numerusform>
<numerusform>{names} et {n} autres</numerusform>
</translation>
</message>
<message>
<source>{names} and {n} more categories</source>
<translation>{names} et {n} autres catégories</translation>
</message>
<message>
<source>{names}: {said}</source>
<translation>{names} : {said}</translation>
</message>
<message numerus="yes">
<source>{names}; and {n} more</source>
<translation>
<numerusform>{names} ; et {n} autre</numerusform>
<numerusform>{names} ; et {n} autres</numerusform>
</translation>
</message>
<message>
<source>{name} (#{id})</source>
<translation>{name} (#{id})</translation>
</message>
<message>
<source>{name} ({id})</source>
<translation>{name} ({id})</translation>
</message>
<message>
<source>{name} already exists. Choose another name.</source>
<translation>{name} existe déjà. Choisissez un autre nom.</translation>
</message>
<message>
<source>{name} cannot be kept with this value of {what}; nothing was changed</source>
<translation>impossible de conserver {name} avec cette valeur de {what} ; rien n’a été modifié</translation>
</message>
<message>
<source>{name} has another value for {parameter}, and what is kept of it belongs to that; make a connection of another name</source>
<translation>{name} a une autre valeur pour {parameter}, et ce qui en est conservé lui appartient ; créez une connexion d’un autre nom</translation>
</message>
<message>
<source>{name} has changes that are not sent yet ({count}); nothing was removed. --yes writes them to a file and forgets {name}</source>
<translation>{name} a des modifications qui ne sont pas encore envoyées ({count}) ; rien n’a été supprimé. --yes les écrit dans un fichier et oublie {name}</translation>
</message>
<message>
<source>{name} has changes that wait for {address} ({count}); let them be sent, or forget {name}, before its address is changed</source>
<translation>{name} a des modifications qui attendent d’être envoyées à {address} ({count}) ; laissez-les partir, ou oubliez {name}, avant de changer son adresse</translation>
</message>
<message>
<source>{name} has no list of {resource}: its service does not offer one</source>
<translation>{name} n’a pas de liste {resource} : son service n’en propose pas</translation>
</message>
<message>
<source>{name} is no status of an order. There are: {known}.</source>
<translation>{name} n’est pas un état de commande. Possibles : {known}.</translation>
</message>
<message>
<source>{name} is not available, pending or sold.</source>
<translation>{name} n’est ni « disponible », ni « réservé », ni « vendu ».</translation>
</message>
<message>
<source>{name} is read-only; nothing was saved. `connect --read-write` ends that</source>
<translation>{name} est en lecture seule ; rien n’a été enregistré. `connect --read-write` y met fin</translation>
</message>
<message>
<source>{name} was closed in the running program before anything was saved; say it again</source>
<translation>{name} a été fermé dans le programme en cours avant tout enregistrement ; recommencez</translation>
</message>
<message>
<source>{name}, view of {list}</source>
<translation>{name}, vue ({list})</translation>
</message>
<message>
<source>{name}: in stock {mine} here, {theirs} elsewhere</source>
<translation>{name} : en stock {mine} ici, {theirs} ailleurs</translation>
</message>
<message>
<source>{name}: renamed, because its name was taken</source>
<translation>{name} : renommée, car son nom était pris</translation>
</message>
<message>
<source>{name}: {after}, {who}</source>
<translation>{name} : {after}, {who}</translation>
</message>
<message>
<source>{name}: {before} → {after}, {who}</source>
<translation>{name} : {before} → {after}, {who}</translation>
</message>
<message>
<source>{name}: {lasts}, {gone}</source>
<translation>{name} : {lasts}, {gone}</translation>
</message>
<message>
<source>{name}: {low} of {total} low</source>
<translation>{name} : {low} bas sur {total}</translation>
</message>
<message>
<source>{name}: {mine} here, {theirs} elsewhere</source>
<translation>{name} : {mine} ici, {theirs} ailleurs</translation>
</message>
<message>
<source>{now} ({change})</source>
<comment>pieces now, and how many more than before</comment>
<translation>{now} ({change})</translation>
</message>
<message>
<source>{number} s</source>
<comment>seconds</comment>
<translation>{number} s</translation>
</message>
<message>
<source>{number} typed</source>
<translation>saisi : {number}</translation>
</message>
<message numerus="yes">
<source>{n} already have this value.</source>
<translation>
<numerusform>{n} a déjà cette valeur.</numerusform>
<numerusform>{n} ont déjà cette valeur.</numerusform>
</translation>
</message>
<message>
<source>{n} are called {name}: a column with ids is needed.</source>
<translation>{n} portent le nom {name} : il faut une colonne d’identifiants.</translation>
</message>
<message numerus="yes">
<source>{n} bar codes added</source>
<translation>
<numerusform>{n} code-barres ajouté</numerusform>
<numerusform>{n} codes-barres ajoutés</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} bar codes written to {file}</source>
<translation>
<numerusform>{n} code-barres écrit dans {file}</numerusform>
<numerusform>{n} codes-barres écrits dans {file}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} being sent</source>
<translation>
<numerusform>{n} en cours d’envoi</numerusform>
<numerusform>{n} en cours d’envoi</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} cannot be redone: {why}</source>
<translation>
<numerusform>{n} ne peut pas être rétablie : {why}</numerusform>
<numerusform>{n} ne peuvent pas être rétablies : {why}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} cannot be saved: see the note.</source>
<translation>
<numerusform>{n} ne peut pas être enregistrée : voir la remarque.</numerusform>
<numerusform>{n} ne peuvent pas être enregistrées : voir la remarque.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} cannot be undone: {why}</source>
<translation>
<numerusform>{n} ne peut pas être annulée : {why}</numerusform>
<numerusform>{n} ne peuvent pas être annulées : {why}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} categories</source>
<translation>
<numerusform>{n} catégorie</numerusform>
<numerusform>{n} catégories</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} categories do not exist: {names}.</source>
<translation>
<numerusform>La catégorie {names} n’existe pas.</numerusform>
<numerusform>{n} catégories n’existent pas : {names}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} categories will be added: {names}.</source>
<translation>
<numerusform>Une catégorie sera ajoutée : {names}.</numerusform>
<numerusform>{n} catégories seront ajoutées : {names}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} cells have values that cannot be saved.</source>
<translation>
<numerusform>{n} cellule a une valeur qui ne peut pas être enregistrée.</numerusform>
<numerusform>{n} cellules ont des valeurs qui ne peuvent pas être enregistrées.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changed meanwhile and are left out: see the note.</source>
<translation>
<numerusform>{n} a changé entre-temps et se trouve écartée : voir la remarque.</numerusform>
<numerusform>{n} ont changé entre-temps et se trouvent écartées : voir la remarque.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes</source>
<translation>
<numerusform>{n} modification</numerusform>
<numerusform>{n} modifications</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes are in {file}</source>
<translation>
<numerusform>{n} modification est dans {file}</numerusform>
<numerusform>{n} modifications sont dans {file}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes are saved on this computer and stay paused until you resume them.</source>
<translation>
<numerusform>{n} modification est enregistrée sur cet ordinateur et reste suspendue jusqu’à ce que vous la repreniez.</numerusform>
<numerusform>{n} modifications sont enregistrées sur cet ordinateur et restent suspendues jusqu’à ce que vous les repreniez.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes are saved on this computer.</source>
<translation>
<numerusform>{n} modification est enregistrée sur cet ordinateur.</numerusform>
<numerusform>{n} modifications sont enregistrées sur cet ordinateur.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes need attention</source>
<translation>
<numerusform>{n} modification à traiter</numerusform>
<numerusform>{n} modifications à traiter</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes of a rehearsal wait to be looked at.</source>
<translation>
<numerusform>{n} modification d’une simulation attend d’être examinée.</numerusform>
<numerusform>{n} modifications d’une simulation attendent d’être examinées.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes saved on this computer and not sent; they go out with the next `petstore-desktop sync`, import or booking, or while the window is open</source>
<translation>
<numerusform>{n} modification enregistrée sur cet ordinateur et non envoyée ; elle partira avec le prochain `petstore-desktop sync`, import ou mouvement de stock, ou tant que la fenêtre est ouverte</numerusform>
<numerusform>{n} modifications enregistrées sur cet ordinateur et non envoyées ; elles partiront avec le prochain `petstore-desktop sync`, import ou mouvement de stock, ou tant que la fenêtre est ouverte</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes that were refused or in conflict there are not kept.</source>
<translation>
<numerusform>{n} modification refusée ou en conflit dans la simulation n’est pas conservée.</numerusform>
<numerusform>{n} modifications refusées ou en conflit dans la simulation ne sont pas conservées.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes wait, all saved on this computer.</source>
<translation>
<numerusform>{n} modification attend, enregistrée sur cet ordinateur.</numerusform>
<numerusform>{n} modifications attendent, toutes enregistrées sur cet ordinateur.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes were made for the service at {address}, which this connection used before.</source>
<translation>
<numerusform>Une modification a été faite pour le service à l’adresse {address}, que cette connexion utilisait auparavant.</numerusform>
<numerusform>{n} modifications ont été faites pour le service à l’adresse {address}, que cette connexion utilisait auparavant.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} codes are unknown.</source>
<translation>
<numerusform>{n} code est inconnu.</numerusform>
<numerusform>{n} codes sont inconnus.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} codes have no room on their label.</source>
<translation>
<numerusform>{n} code n’a pas la place sur son étiquette.</numerusform>
<numerusform>{n} codes n’ont pas la place sur leur étiquette.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} columns beyond the last are left out.</source>
<translation>
<numerusform>{n} colonne au-delà de la dernière est écartée.</numerusform>
<numerusform>{n} colonnes au-delà de la dernière sont écartées.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} come back with new ids</source>
<translation>
<numerusform>{n} revient avec un nouvel identifiant</numerusform>
<numerusform>{n} reviennent avec de nouveaux identifiants</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} come back with new ids and without their stock</source>
<translation>
<numerusform>{n} revient avec un nouvel identifiant et sans son stock</numerusform>
<numerusform>{n} reviennent avec de nouveaux identifiants et sans leur stock</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} complete</source>
<translation>
<numerusform>{n} terminée</numerusform>
<numerusform>{n} terminées</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} completed</source>
<comment>after a number of orders placed</comment>
<translation>
<numerusform>{n} terminée</numerusform>
<numerusform>{n} terminées</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} conflicts</source>
<translation>
<numerusform>{n} conflit</numerusform>
<numerusform>{n} conflits</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} counted pets have no stock entry, and are not booked.</source>
<translation>
<numerusform>{n} animal compté n’a pas de fiche de stock : son comptage n’est pas validé.</numerusform>
<numerusform>{n} animaux comptés n’ont pas de fiche de stock : leur comptage n’est pas validé.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} days</source>
<translation>
<numerusform>{n} jour</numerusform>
<numerusform>{n} jours</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} days ago</source>
<translation>
<numerusform>il y a {n} jour</numerusform>
<numerusform>il y a {n} jours</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} days late</source>
<translation>
<numerusform>{n} jour de retard</numerusform>
<numerusform>{n} jours de retard</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} decided</source>
<translation>
<numerusform>Décidé</numerusform>
<numerusform>{n} décidées</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} decided: yours are discarded</source>
<translation>
<numerusform>Décidé : la vôtre est abandonnée</numerusform>
<numerusform>{n} décidées : les vôtres sont abandonnées</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} decided: yours are sent again</source>
<translation>
<numerusform>Décidé : la vôtre est renvoyée</numerusform>
<numerusform>{n} décidées : les vôtres sont renvoyées</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} differ.</source>
<translation>
<numerusform>{n} écart.</numerusform>
<numerusform>{n} écarts.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} discarded</source>
<translation>
<numerusform>{n} abandonnée</numerusform>
<numerusform>{n} abandonnées</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} due today</source>
<translation>
<numerusform>{n} pour aujourd’hui</numerusform>
<numerusform>{n} pour aujourd’hui</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} elsewhere</source>
<translation>
<numerusform>{n} ailleurs</numerusform>
<numerusform>{n} ailleurs</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} empty cells are left out.</source>
<translation>
<numerusform>{n} cellule vide est écartée.</numerusform>
<numerusform>{n} cellules vides sont écartées.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} filters</source>
<translation>
<numerusform>{n} filtre</numerusform>
<numerusform>{n} filtres</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} follow when the service has answered</source>
<translation>
<numerusform>{n} suivra quand le service aura répondu</numerusform>
<numerusform>{n} suivront quand le service aura répondu</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} further changes are saved with them: deletions, and stock of new pets.</source>
<translation>
<numerusform>{n} autre modification est enregistrée avec elles : une suppression, ou le stock d’un nouvel animal.</numerusform>
<numerusform>{n} autres modifications sont enregistrées avec elles : des suppressions, et le stock de nouveaux animaux.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} gone</source>
<comment>records that are no longer there</comment>
<translation>
<numerusform>{n} fiche disparue</numerusform>
<numerusform>{n} fiches disparues</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} gone in {days}, {left} in stock</source>
<translation>
<numerusform>{n} sortie en {days}, {left} en stock</numerusform>
<numerusform>{n} sorties en {days}, {left} en stock</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} h</source>
<translation>
<numerusform>{n} h</numerusform>
<numerusform>{n} h</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} have open orders, which stay as they are.</source>
<translation>
<numerusform>{n} a des commandes ouvertes, qui restent telles quelles.</numerusform>
<numerusform>{n} ont des commandes ouvertes, qui restent telles quelles.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} here</source>
<translation>
<numerusform>{n} ici</numerusform>
<numerusform>{n} ici</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} here and elsewhere</source>
<translation>
<numerusform>{n} ici et ailleurs</numerusform>
<numerusform>{n} ici et ailleurs</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} ids have signs that Code 128 does not have: no code there. Choose QR.</source>
<translation>
<numerusform>{n} identifiant a des caractères absents du Code 128 : étiquette sans code. Choisissez QR.</numerusform>
<numerusform>{n} identifiants ont des caractères absents du Code 128 : étiquettes sans code. Choisissez QR.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} in conflict</source>
<translation>
<numerusform>{n} en conflit</numerusform>
<numerusform>{n} en conflit</numerusform>
</translation>
</message>
<message>
<source>{n} in stock</source>
<translation>{n} en stock</translation>
</message>
<message numerus="yes">
<source>{n} labels are in {file}</source>
<translation>
<numerusform>{n} étiquette est dans {file}</numerusform>
<numerusform>{n} étiquettes sont dans {file}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} labels for {pets}</source>
<translation>
<numerusform>{n} étiquette pour {pets}</numerusform>
<numerusform>{n} étiquettes pour {pets}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} labels here, {after} after it.</source>
<comment>on a sheet</comment>
<translation>
<numerusform>{n} étiquette ici, {after} ensuite.</numerusform>
<numerusform>{n} étiquettes ici, {after} ensuite.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} labels here.</source>
<comment>on a sheet</comment>
<translation>
<numerusform>{n} étiquette ici.</numerusform>
<numerusform>{n} étiquettes ici.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} labels sent to the printer</source>
<translation>
<numerusform>{n} étiquette envoyée à l’imprimante</numerusform>
<numerusform>{n} étiquettes envoyées à l’imprimante</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} lines are not ticked, because their stock may have changed before they were counted: recount, or decide.</source>
<translation>
<numerusform>{n} ligne n’est pas cochée, car son stock a peut-être changé avant le comptage : recomptez, ou décidez.</numerusform>
<numerusform>{n} lignes ne sont pas cochées, car leur stock a peut-être changé avant le comptage : recomptez, ou décidez.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} min</source>
<translation>
<numerusform>{n} min</numerusform>
<numerusform>{n} min</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} more</source>
<translation>
<numerusform>{n} de plus</numerusform>
<numerusform>{n} de plus</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} more requests may be sent this minute.</source>
<translation>
<numerusform>{n} requête peut encore être envoyée pendant cette minute.</numerusform>
<numerusform>{n} requêtes peuvent encore être envoyées pendant cette minute.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} more requests may be sent today.</source>
<translation>
<numerusform>{n} requête peut encore être envoyée aujourd’hui.</numerusform>
<numerusform>{n} requêtes peuvent encore être envoyées aujourd’hui.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} ms</source>
<translation>
<numerusform>{n} ms</numerusform>
<numerusform>{n} ms</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} names are too long, and are cut. Choose larger labels.</source>
<translation>
<numerusform>{n} nom est trop long et se trouve coupé. Choisissez des étiquettes plus grandes.</numerusform>
<numerusform>{n} noms sont trop longs et se trouvent coupés. Choisissez des étiquettes plus grandes.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} need attention</source>
<translation>
<numerusform>{n} à traiter</numerusform>
<numerusform>{n} à traiter</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} new orders</source>
<translation>
<numerusform>{n} nouvelle commande</numerusform>
<numerusform>{n} nouvelles commandes</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} new pets</source>
<translation>
<numerusform>{n} nouvel animal</numerusform>
<numerusform>{n} nouveaux animaux</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} new pets have a stock. You can book it once the service has created them.</source>
<translation>
<numerusform>{n} nouvel animal a un stock. Vous pourrez le saisir quand le service aura créé l’animal.</numerusform>
<numerusform>{n} nouveaux animaux ont un stock. Vous pourrez le saisir quand le service aura créé les animaux.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} of them cannot be read; the list has what is left of them.</source>
<translation>
<numerusform>L’une d’elles ne peut pas être lue ; la liste contient ce qu’il en reste.</numerusform>
<numerusform>{n} d’entre elles ne peuvent pas être lues ; la liste contient ce qu’il en reste.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} of them undone</source>
<translation>
<numerusform>{n} annulée ensuite</numerusform>
<numerusform>{n} annulées ensuite</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} of {total} are left out.</source>
<translation>
<numerusform>{n} sur {total} est écartée.</numerusform>
<numerusform>{n} sur {total} sont écartées.</numerusform>
</translation>
</message>
<message>
<source>{n} of {total} counted</source>
<translation>{n} sur {total} comptés</translation>
</message>
<message>
<source>{n} of {total} counted.</source>
<translation>{n} sur {total} comptés.</translation>
</message>
<message numerus="yes">
<source>{n} of {total} selected</source>
<translation>
<numerusform>{n} sur {total} sélectionnée</numerusform>
<numerusform>{n} sur {total} sélectionnées</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} on order.</source>
<translation>
<numerusform>{n} en commande.</numerusform>
<numerusform>{n} en commande.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} open</source>
<translation>
<numerusform>{n} ouverte</numerusform>
<numerusform>{n} ouvertes</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} open orders</source>
<translation>
<numerusform>{n} commande ouverte</numerusform>
<numerusform>{n} commandes ouvertes</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} open orders have no date.</source>
<translation>
<numerusform>{n} commande ouverte n’a pas de date.</numerusform>
<numerusform>{n} commandes ouvertes n’ont pas de date.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} orders</source>
<translation>
<numerusform>{n} commande</numerusform>
<numerusform>{n} commandes</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} orders are overdue</source>
<translation>
<numerusform>{n} commande est en retard</numerusform>
<numerusform>{n} commandes sont en retard</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} orders completed</source>
<translation>
<numerusform>{n} commande terminée</numerusform>
<numerusform>{n} commandes terminées</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} orders placed</source>
<translation>
<numerusform>{n} commande passée</numerusform>
<numerusform>{n} commandes passées</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} other categories</source>
<translation>
<numerusform>{n} autre catégorie</numerusform>
<numerusform>{n} autres catégories</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} other changes</source>
<translation>
<numerusform>{n} autre modification</numerusform>
<numerusform>{n} autres modifications</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} other shops need attention</source>
<translation>
<numerusform>{n} autre magasin à traiter</numerusform>
<numerusform>{n} autres magasins à traiter</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} others</source>
<translation>
<numerusform>autres : {n}</numerusform>
<numerusform>autres : {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} others: {counted} of {total}</source>
<translation>
<numerusform>{n} autre : {counted} sur {total}</numerusform>
<numerusform>{n} autres : {counted} sur {total}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} overdue</source>
<translation>
<numerusform>{n} en retard</numerusform>
<numerusform>{n} en retard</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pages, {size}.</source>
<translation>
<numerusform>{n} page, {size}.</numerusform>
<numerusform>{n} pages, {size}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pasted lines were left out. The first is: {line}</source>
<translation>
<numerusform>{n} ligne collée a été écartée. C’est : {line}</numerusform>
<numerusform>{n} lignes collées ont été écartées. La première est : {line}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pets</source>
<translation>
<numerusform>{n} animal</numerusform>
<numerusform>{n} animaux</numerusform>
</translation>
</message>
<message>
<source>{n} pets are called {name}: enter the id.</source>
<translation>{n} animaux s’appellent {name} : entrez l’identifiant.</translation>
</message>
<message numerus="yes">
<source>{n} pets are low</source>
<translation>
<numerusform>{n} animal a un stock bas</numerusform>
<numerusform>{n} animaux ont un stock bas</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pets are not counted.</source>
<translation>
<numerusform>{n} animal n’est pas compté.</numerusform>
<numerusform>{n} animaux ne sont pas comptés.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pets have no id yet, so their labels have no code. Print them once the pets are sent.</source>
<translation>
<numerusform>{n} animal n’a pas encore d’identifiant ; son étiquette n’a donc pas de code. Imprimez-la une fois l’animal envoyé au service.</numerusform>
<numerusform>{n} animaux n’ont pas encore d’identifiant ; leurs étiquettes n’ont donc pas de code. Imprimez-les une fois les animaux envoyés au service.</numerusform>
</translation>
</message>
<message>
<source>{n} pets have the code {code}</source>
<translation>{n} animaux ont le code {code}</translation>
</message>
<message numerus="yes">
<source>{n} pets sold</source>
<translation>
<numerusform>{n} animal vendu</numerusform>
<numerusform>{n} animaux vendus</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pieces</source>
<translation>
<numerusform>{n} unité</numerusform>
<numerusform>{n} unités</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} problems found.</source>
<translation>
<numerusform>{n} problème trouvé.</numerusform>
<numerusform>{n} problèmes trouvés.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} records are set aside and not counted.</source>
<translation>
<numerusform>{n} fiche est mise de côté et n’est pas comptée.</numerusform>
<numerusform>{n} fiches sont mises de côté et ne sont pas comptées.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} records have a slash in their ids: they are shown, and cannot be changed here.</source>
<translation>
<numerusform>{n} fiche a une barre oblique dans son identifiant : elle est affichée, et ne peut pas être modifiée ici.</numerusform>
<numerusform>{n} fiches ont une barre oblique dans leur identifiant : elles sont affichées, et ne peuvent pas être modifiées ici.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} records may be gone</source>
<translation>
<numerusform>{n} fiche peut-être supprimée</numerusform>
<numerusform>{n} fiches peut-être supprimées</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} records set aside</source>
<translation>
<numerusform>{n} fiche mise de côté</numerusform>
<numerusform>{n} fiches mises de côté</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} refused</source>
<translation>
<numerusform>{n} refusée</numerusform>
<numerusform>{n} refusées</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} remarks on the document</source>
<translation>
<numerusform>{n} remarque sur le document</numerusform>
<numerusform>{n} remarques sur le document</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests</source>
<translation>
<numerusform>{n} requête</numerusform>
<numerusform>{n} requêtes</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests a day</source>
<translation>
<numerusform>{n} requête par jour</numerusform>
<numerusform>{n} requêtes par jour</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests a minute</source>
<translation>
<numerusform>{n} requête par minute</numerusform>
<numerusform>{n} requêtes par minute</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests a minute, {day} a day</source>
<translation>
<numerusform>{n} requête par minute, {day} par jour</numerusform>
<numerusform>{n} requêtes par minute, {day} par jour</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests are left of this minute’s.</source>
<translation>
<numerusform>Il reste {n} requête pour cette minute.</numerusform>
<numerusform>Il reste {n} requêtes pour cette minute.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests are left of today’s.</source>
<translation>
<numerusform>Il reste {n} requête pour aujourd’hui.</numerusform>
<numerusform>Il reste {n} requêtes pour aujourd’hui.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests are on the clipboard, without the key</source>
<translation>
<numerusform>{n} requête est dans le presse-papiers, sans la clé</numerusform>
<numerusform>{n} requêtes sont dans le presse-papiers, sans la clé</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests.</source>
<translation>
<numerusform>{n} requête.</numerusform>
<numerusform>{n} requêtes.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows are in {file}</source>
<translation>
<numerusform>{n} ligne est dans {file}</numerusform>
<numerusform>{n} lignes sont dans {file}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows are read.</source>
<translation>
<numerusform>{n} ligne est lue.</numerusform>
<numerusform>{n} lignes sont lues.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows are the same only by changes that the service has not taken</source>
<translation>
<numerusform>{n} ligne n’est identique que par des modifications que le service n’a pas prises</numerusform>
<numerusform>{n} lignes ne sont identiques que par des modifications que le service n’a pas prises</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows beyond the end are left out.</source>
<translation>
<numerusform>{n} ligne au-delà de la fin est écartée.</numerusform>
<numerusform>{n} lignes au-delà de la fin sont écartées.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows copied</source>
<translation>
<numerusform>{n} ligne copiée</numerusform>
<numerusform>{n} lignes copiées</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows copied with Id, Name and To order.</source>
<translation>
<numerusform>{n} ligne copiée avec Id, Nom et À commander.</numerusform>
<numerusform>{n} lignes copiées avec Id, Nom et À commander.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows hold changes that are not sent yet.</source>
<translation>
<numerusform>{n} ligne contient une modification pas encore envoyée.</numerusform>
<numerusform>{n} lignes contiennent des modifications pas encore envoyées.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows were imported before, and are not added again.</source>
<translation>
<numerusform>{n} ligne a déjà été importée et n’est pas ajoutée de nouveau.</numerusform>
<numerusform>{n} lignes ont déjà été importées et ne sont pas ajoutées de nouveau.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows were imported before, and are not made again without --again</source>
<translation>
<numerusform>{n} ligne a déjà été importée et n’est pas ajoutée de nouveau sans --again</numerusform>
<numerusform>{n} lignes ont déjà été importées et ne sont pas ajoutées de nouveau sans --again</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows were imported before, and make new records.</source>
<translation>
<numerusform>{n} ligne a déjà été importée et crée une nouvelle fiche.</numerusform>
<numerusform>{n} lignes ont déjà été importées et créent de nouvelles fiches.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} saved views cannot be used by this version; they are kept</source>
<translation>
<numerusform>{n} vue enregistrée n’est pas utilisable par cette version ; elle est conservée</numerusform>
<numerusform>{n} vues enregistrées ne sont pas utilisables par cette version ; elles sont conservées</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} scans</source>
<translation>
<numerusform>{n} scan</numerusform>
<numerusform>{n} scans</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} sent</source>
<translation>
<numerusform>{n} envoyée</numerusform>
<numerusform>{n} envoyées</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} sheets</source>
<comment>of labels</comment>
<translation>
<numerusform>{n} feuille</numerusform>
<numerusform>{n} feuilles</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} so far</source>
<translation>
<numerusform>{n} jusqu’ici</numerusform>
<numerusform>{n} jusqu’ici</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} stock entries</source>
<translation>
<numerusform>{n} fiche de stock</numerusform>
<numerusform>{n} fiches de stock</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} to come</source>
<translation>
<numerusform>{n} à venir</numerusform>
<numerusform>{n} à venir</numerusform>
</translation>
</message>
<message>
<source>{n} to go</source>
<translation>reste {n}</translation>
</message>
<message numerus="yes">
<source>{n} today</source>
<translation>
<numerusform>{n} aujourd’hui</numerusform>
<numerusform>{n} aujourd’hui</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unconfirmed</source>
<translation>
<numerusform>{n} non confirmée</numerusform>
<numerusform>{n} non confirmées</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} undone</source>
<translation>
<numerusform>{n} annulée</numerusform>
<numerusform>{n} annulées</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unknown codes.</source>
<translation>
<numerusform>{n} code inconnu.</numerusform>
<numerusform>{n} codes inconnus.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unsent</source>
<translation>
<numerusform>{n} non envoyée</numerusform>
<numerusform>{n} non envoyées</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unsent changes are left out: the copy shows what the service last said.</source>
<translation>
<numerusform>{n} modification non envoyée est écartée : la copie montre le dernier état connu du service.</numerusform>
<numerusform>{n} modifications non envoyées sont écartées : la copie montre le dernier état connu du service.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unsent elsewhere</source>
<translation>
<numerusform>{n} non envoyée ailleurs</numerusform>
<numerusform>{n} non envoyées ailleurs</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} values are others now than you saw: they are left out.</source>
<translation>
<numerusform>{n} valeur a changé depuis que vous l’avez vue : elle est écartée.</numerusform>
<numerusform>{n} valeurs ont changé depuis que vous les avez vues : elles sont écartées.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} views added</source>
<translation>
<numerusform>{n} vue ajoutée</numerusform>
<numerusform>{n} vues ajoutées</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} views written to {file}</source>
<translation>
<numerusform>{n} vue écrite dans {file}</numerusform>
<numerusform>{n} vues écrites dans {file}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} wait for earlier changes that need your decision</source>
<translation>
<numerusform>{n} attend une modification antérieure à décider</numerusform>
<numerusform>{n} attendent des modifications antérieures à décider</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} waiting</source>
<translation>
<numerusform>{n} en attente</numerusform>
<numerusform>{n} en attente</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} ways to use this service end soon, first: {what}, on {day}, {left}</source>
<translation>
<numerusform>{n} façon d’utiliser ce service prend bientôt fin : {what}, le {day}, {left}</numerusform>
<numerusform>{n} façons d’utiliser ce service prennent bientôt fin, d’abord : {what}, le {day}, {left}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} wrong rows copied</source>
<translation>
<numerusform>{n} ligne erronée copiée</numerusform>
<numerusform>{n} lignes erronées copiées</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} {pet}, to ship on {day}.</source>
<translation>
<numerusform>À expédier le {day} : {n} {pet}.</numerusform>
<numerusform>À expédier le {day} : {n} {pet}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} {pet}, to ship today.</source>
<translation>
<numerusform>{n} {pet}, à expédier aujourd’hui.</numerusform>
<numerusform>{n} {pet}, à expédier aujourd’hui.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} {pet}, without a ship date.</source>
<translation>
<numerusform>{n} {pet}, sans date d’expédition.</numerusform>
<numerusform>{n} {pet}, sans date d’expédition.</numerusform>
</translation>
</message>
<message>
<source>{n} {status}</source>
<translation>{status} : {n}</translation>
</message>
<message>
<source>{n}+</source>
<comment>at least so many</comment>
<translation>{n}+</translation>
</message>
<message>
<source>{old} becomes {new}</source>
<translation>{old} devient {new}</translation>
</message>
<message>
<source>{page}: manual of Pet Store Desktop</source>
<translation>{page} : manuel de Pet Store Desktop</translation>
</message>
<message>
<source>{paper}, {columns} × {rows}, {width} × {height} mm</source>
<translation>{paper}, {columns} × {rows}, {width} × {height} mm</translation>
</message>
<message>
<source>{parts}.</source>
<comment>a sentence from parts with commas between them</comment>
<translation>{parts}.</translation>
</message>
<message>
<source>{path} (of the service at {address})</source>
<translation>{path} (du service à {address})</translation>
</message>
<message>
<source>{path} cannot be opened or made; see that the folder is there and that you may read and write in it, or choose another one with --data-dir</source>
<translation>{path} ne peut être ni ouvert ni créé ; vérifiez que le dossier existe et que vous pouvez y lire et y écrire, ou choisissez-en un autre avec --data-dir</translation>
</message>
<message>
<source>{path} holds no certificate; nothing was changed. Give the certificates of an authority in PEM form, with BEGIN CERTIFICATE in it</source>
<translation>{path} ne contient aucun certificat ; rien n’a été modifié. Donnez les certificats d’une autorité au format PEM, avec BEGIN CERTIFICATE</translation>
</message>
<message>
<source>{pet} (#{id})</source>
<translation>{pet} (#{id})</translation>
</message>
<message>
<source>{pet} {count}</source>
<comment>what came of a pet: Koi (#1126) +6</comment>
<translation>{pet} {count}</translation>
</message>
<message>
<source>{pet}: {n}</source>
<translation>{pet} : {n}</translation>
</message>
<message numerus="yes">
<source>{pieces} in {n} lines</source>
<translation>
<numerusform>{pieces} en {n} ligne</numerusform>
<numerusform>{pieces} en {n} lignes</numerusform>
</translation>
</message>
<message>
<source>{plan}: {limits}</source>
<translation>{plan} : {limits}</translation>
</message>
<message>
<source>{reading} · {more}</source>
<translation>{reading} · {more}</translation>
</message>
<message>
<source>{reason} Not saved. In its cell, correct it, or press Esc to discard.</source>
<translation>{reason} Non enregistré. Corrigez la valeur dans sa cellule, ou appuyez sur Échap pour l’abandonner.</translation>
</message>
<message numerus="yes">
<source>{records} still name the old id</source>
<translation>
<numerusform>{records} porte encore l’ancien identifiant</numerusform>
<numerusform>{records} portent encore l’ancien identifiant</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{record} and {n} more changes</source>
<translation>
<numerusform>{record} et {n} autre modification</numerusform>
<numerusform>{record} et {n} autres modifications</numerusform>
</translation>
</message>
<message>
<source>{record} has changed at the service; the new values are shown</source>
<translation>{record} : modification du côté du service ; les nouvelles valeurs sont affichées</translation>
</message>
<message>
<source>{record} is no longer there</source>
<translation>{record} n’existe plus</translation>
</message>
<message>
<source>{record} is unchanged, live at {time}</source>
<translation>{record} : aucun changement, en direct à {time}</translation>
</message>
<message>
<source>{record} was changed elsewhere; nothing was overwritten</source>
<translation>{record} : modification ailleurs ; rien n’a été écrasé</translation>
</message>
<message>
<source>{record} was deleted here ({time})</source>
<translation>{record} a été supprimé ici ({time})</translation>
</message>
<message>
<source>{record} was removed elsewhere (noticed {time})</source>
<translation>{record} a été retiré ailleurs (constaté {time})</translation>
</message>
<message>
<source>{record}, {value}, {who}, {when}</source>
<translation>{record}, {value}, {who}, {when}</translation>
</message>
<message>
<source>{record}: cannot be ticked</source>
<translation>{record} : impossible à cocher</translation>
</message>
<message>
<source>{record}: left out</source>
<translation>{record} : écarté</translation>
</message>
<message>
<source>{record}: the list of the service shows only a part of all, and not this one</source>
<translation>{record} : la liste du service ne montre qu’une partie des fiches, et pas celle-ci</translation>
</message>
<message>
<source>{record}: ticked</source>
<translation>{record} : case cochée</translation>
</message>
<message>
<source>{record}: whether it was done is not known</source>
<translation>{record} : on ne sait pas si c’est fait</translation>
</message>
<message>
<source>{record}: {change}</source>
<translation>{record} : {change}</translation>
</message>
<message>
<source>{record}: {things}</source>
<translation>{record} : {things}</translation>
</message>
<message>
<source>{requests}, until {time}</source>
<translation>{requests}, jusqu’à {time}</translation>
</message>
<message>
<source>{rows} are in {file}</source>
<translation>{rows} dans {file}</translation>
</message>
<message>
<source>{rows}, looked up one by one</source>
<translation>{rows}, par recherche individuelle</translation>
</message>
<message>
<source>{rows}, reading: {progress}</source>
<translation>{rows}, lecture : {progress}</translation>
</message>
<message>
<source>{rows}, {age}</source>
<translation>{rows}, {age}</translation>
</message>
<message>
<source>{said}. {note}</source>
<translation>{said}. {note}</translation>
</message>
<message>
<source>{said}; the service names {other} instead.</source>
<translation>{said} ; le service indique {other} à la place.</translation>
</message>
<message>
<source>{said}; then {other} is used instead.</source>
<translation>{said} ; {other} sera alors utilisé à la place.</translation>
</message>
<message>
<source>{said}; {other} is used instead.</source>
<translation>{said} ; {other} est utilisé à la place.</translation>
</message>
<message>
<source>{sentence} {next}</source>
<comment>two sentences</comment>
<translation>{sentence} {next}</translation>
</message>
<message>
<source>{sentence} {source}</source>
<translation>{sentence} {source}</translation>
</message>
<message>
<source>{sentence}.</source>
<translation>{sentence}.</translation>
</message>
<message>
<source>{sent} of {n} sent</source>
<translation>{sent} envoyées sur {n}</translation>
</message>
<message numerus="yes">
<source>{sent}, {n} refused for too many requests</source>
<translation>
<numerusform>{sent}, {n} refusée pour excès de requêtes</numerusform>
<numerusform>{sent}, {n} refusées pour excès de requêtes</numerusform>
</translation>
</message>
<message>
<source>{shop} changes other fields of it, but not this one (File &gt; Operations &gt; Fields shows which).</source>
<translation>Le magasin {shop} modifie d’autres champs de cette fiche, mais pas celui-ci (voir Fichier &gt; Opérations &gt; Champs).</translation>
</message>
<message>
<source>{shop} counts its pets by status only</source>
<translation>{shop} ne compte ses animaux que par statut</translation>
</message>
<message>
<source>{shop} does not offer a list that is needed to tell.</source>
<translation>{shop} ne propose pas une liste nécessaire pour le savoir.</translation>
</message>
<message>
<source>{shop} does not offer this list</source>
<translation>{shop} ne propose pas cette liste</translation>
</message>
<message>
<source>{shop} does not offer this.</source>
<translation>{shop} ne propose pas cela.</translation>
</message>
<message>
<source>{shop} does not tell a field that is needed to tell.</source>
<translation>{shop} n’indique pas un champ nécessaire pour le savoir.</translation>
</message>
<message>
<source>{shop} has no such status. Choose one of its own in the cell.</source>
<translation>{shop} n’a pas ce statut. Choisissez l’un des siens dans la cellule.</translation>
</message>
<message>
<source>{shop} is forgotten</source>
<translation>{shop} est oublié</translation>
</message>
<message>
<source>{shop} needs attention</source>
<translation>{shop} : à traiter</translation>
</message>
<message>
<source>{shop} no longer offers this.</source>
<translation>{shop} ne propose plus cela.</translation>
</message>
<message>
<source>{shop} — Pet Store Desktop</source>
<translation>{shop} — Pet Store Desktop</translation>
</message>
<message>
<source>{shop}, a change {waits}</source>
<translation>{shop}, une modification {waits}</translation>
</message>
<message>
<source>{shop}, as of {time}</source>
<translation>{shop}, actualisé : {time}</translation>
</message>
<message>
<source>{shop}, live</source>
<translation>{shop}, en direct</translation>
</message>
<message>
<source>{shop}, never read</source>
<translation>{shop}, jamais actualisé</translation>
</message>
<message>
<source>{shop}, no answer for {time}</source>
<translation>{shop}, sans réponse depuis {time}</translation>
</message>
<message>
<source>{shop}, offline since {time}</source>
<translation>{shop}, hors ligne depuis {time}</translation>
</message>
<message>
<source>{shop}, printed {time}</source>
<translation>{shop}, imprimé le {time}</translation>
</message>
<message>
<source>{shop}, {state}</source>
<translation>{shop}, {state}</translation>
</message>
<message>
<source>{shop}: a key is needed; unsent changes wait</source>
<translation>{shop} : il faut une clé ; les modifications non envoyées attendent</translation>
</message>
<message>
<source>{shop}: sending has stopped; unsent changes are kept</source>
<translation>{shop} : l’envoi s’est arrêté ; les modifications non envoyées sont conservées</translation>
</message>
<message>
<source>{shop}: switch to another shop</source>
<translation>{shop} : changer de magasin</translation>
</message>
<message>
<source>{shop}: the file of your changes was damaged</source>
<translation>{shop} : le fichier de vos modifications était endommagé</translation>
</message>
<message>
<source>{shop}: the key is banned for a while; unsent changes wait</source>
<translation>{shop} : la clé est bloquée pour un temps ; les modifications non envoyées attendent</translation>
</message>
<message>
<source>{shop}: your last change could not be saved</source>
<translation>{shop} : votre dernière modification n’a pas pu être enregistrée</translation>
</message>
<message>
<source>{shop}: {changes} unsent.</source>
<translation>{shop} : {changes} en attente d’envoi.</translation>
</message>
<message numerus="yes">
<source>{shop}: {n} changes need attention</source>
<translation>
<numerusform>{shop} : {n} modification à traiter</numerusform>
<numerusform>{shop} : {n} modifications à traiter</numerusform>
</translation>
</message>
<message>
<source>{shown} of {all}</source>
<translation>{shown} sur {all}</translation>
</message>
<message>
<source>{shown} of {total}</source>
<translation>{shown} sur {total}</translation>
</message>
<message>
<source>{stays}. What you did before it can still be undone:</source>
<translation>{stays}. Ce que vous avez fait avant peut encore être annulé :</translation>
</message>
<message>
<source>{step}, {who}</source>
<translation>{step}, {who}</translation>
</message>
<message>
<source>{text} is not a value of this column.</source>
<translation>{text} n’est pas une valeur de cette colonne.</translation>
</message>
<message>
<source>{text} is not a whole number.</source>
<translation>{text} n’est pas un nombre entier.</translation>
</message>
<message>
<source>{text} is not {expected}.</source>
<translation>{text} n’est pas {expected}.</translation>
</message>
<message numerus="yes">
<source>{then} of {n} operations can be used with this choice. No longer:</source>
<translation>
<numerusform>Avec ce choix, opérations utilisables : {then} sur {n}. Ne sera plus possible :</numerusform>
<numerusform>Avec ce choix, opérations utilisables : {then} sur {n}. Ne sera plus possible :</numerusform>
</translation>
</message>
<message>
<source>{things} are matched by {how}. Empty cells change nothing.</source>
<translation>{things} : correspondance par {how}. Les cellules vides ne changent rien.</translation>
</message>
<message>
<source>{things} could not be read</source>
<translation>{things} : lecture impossible</translation>
</message>
<message>
<source>{things} were searched; not all are here.</source>
<translation>Recherche effectuée parmi {things} ; tout n’est pas ici.</translation>
</message>
<message>
<source>{time} (no time zone given)</source>
<translation>{time} (sans fuseau horaire)</translation>
</message>
<message>
<source>{time} tomorrow</source>
<translation>demain à {time}</translation>
</message>
<message>
<source>{time}: {count} in stock</source>
<translation>{time} : {count} en stock</translation>
</message>
<message>
<source>{title}, {count}: {sum}</source>
<translation>{title}, {count} : {sum}</translation>
</message>
<message>
<source>{title}. {why}</source>
<translation>{title}. {why}</translation>
</message>
<message>
<source>{total}</source>
<comment>how many rows a list has</comment>
<translation>{total}</translation>
</message>
<message>
<source>{typed} is no value for a parameter; give it as NAME=VALUE</source>
<translation>{typed} n’est pas une valeur de paramètre ; donnez-la sous la forme NOM=VALEUR</translation>
</message>
<message>
<source>{typed}, {scans}</source>
<translation>{typed}, {scans}</translation>
</message>
<message>
<source>{url} answers.</source>
<translation>{url} répond.</translation>
</message>
<message>
<source>{url} itself was not reached.</source>
<translation>{url} n’a pas été joint directement.</translation>
</message>
<message>
<source>{used} of {limit}</source>
<translation>{used} sur {limit}</translation>
</message>
<message>
<source>{value} is no day; give it as 2026-11-01</source>
<translation>{value} n’est pas un jour ; écrivez-le comme 2026-11-01</translation>
</message>
<message>
<source>{value} is no time; give 12h, 7d, 2w or 2026-11-20T08:00</source>
<translation>{value} n’est pas un moment ; écrivez 12h, 7d, 2w ou 2026-11-20T08:00</translation>
</message>
<message>
<source>{value} is not a whole number; use digits only, such as 1000</source>
<translation>{value} n’est pas un nombre entier ; chiffres uniquement, par exemple 1000</translation>
</message>
<message>
<source>{value} is too large; at most {most}</source>
<translation>{value} est trop grand ; au plus {most}</translation>
</message>
<message>
<source>{value} would allow no request; leave the option out if it is not known</source>
<translation>{value} n’autoriserait aucune requête ; omettez l’option si la valeur n’est pas connue</translation>
</message>
<message>
<source>{value}, refused</source>
<translation>{value}, refusé</translation>
</message>
<message>
<source>{view} ({count})</source>
<translation>{view} ({count})</translation>
</message>
<message>
<source>{view} is in {file}</source>
<translation>{view} se trouve dans {file}</translation>
</message>
<message>
<source>{view}, changed</source>
<translation>{view} (modifiée)</translation>
</message>
<message>
<source>{weekday} {day}</source>
<translation>{weekday} {day}</translation>
</message>
<message>
<source>{weekday} {day}</source>
<comment>Mon 16</comment>
<translation>{weekday} {day}</translation>
</message>
<message>
<source>{what} (see {program} --help)</source>
<translation>{what} (voir {program} --help)</translation>
</message>
<message>
<source>{what} ({source})</source>
<translation>{what} ({source})</translation>
</message>
<message>
<source>{what} Nothing was written.</source>
<translation>{what} Rien n’a été écrit.</translation>
</message>
<message>
<source>{what} The program chooses the id: this service does not.</source>
<translation>{what} Le programme choisit l’identifiant : ce service ne le fait pas.</translation>
</message>
<message>
<source>{what} The program chooses the ids: this service does not.</source>
<translation>{what} Le programme choisit les identifiants : ce service ne le fait pas.</translation>
</message>
<message>
<source>{what} ends on {day}, {left}</source>
<translation>{what} : fin le {day}, {left}</translation>
</message>
<message>
<source>{what} ends on {day}, {left}; {other} is used instead</source>
<translation>{what} : fin le {day}, {left} ; {other} est utilisé à la place</translation>
</message>
<message>
<source>{what} is complete.</source>
<translation>{what} est terminée.</translation>
</message>
<message>
<source>{what} is complete. Its ship date is {day}.</source>
<translation>{what} est terminée. Sa date d’expédition est le {day}.</translation>
</message>
<message>
<source>{what} is due on {day}. It is not fulfilled yet.</source>
<translation>{what} est prévue pour le {day}. Elle n’est pas encore honorée.</translation>
</message>
<message>
<source>{what} is due today. It is not fulfilled yet.</source>
<translation>{what} est prévue pour aujourd’hui. Elle n’est pas encore honorée.</translation>
</message>
<message>
<source>{what} is due tomorrow. It is not fulfilled yet.</source>
<translation>{what} est prévue pour demain. Elle n’est pas encore honorée.</translation>
</message>
<message>
<source>{what} is known, but the service does not give its state.</source>
<translation>{what} est connue, mais le service n’indique pas son état.</translation>
</message>
<message>
<source>{what} is not fulfilled yet. The service gives no ship date.</source>
<translation>{what} n’est pas encore honorée. Le service n’indique pas de date d’expédition.</translation>
</message>
<message>
<source>{what} is {said}, says the service.</source>
<translation>{what} est {said}, selon le service.</translation>
</message>
<message>
<source>{what} was due on {day}. It is not fulfilled yet and is {late}.</source>
<translation>{what} était prévue pour le {day}. Elle n’est pas encore honorée et a {late}.</translation>
</message>
<message>
<source>{what}, saved on this computer</source>
<translation>{what} – c’est enregistré sur cet ordinateur</translation>
</message>
<message>
<source>{what}, sent</source>
<translation>{what} – c’est envoyé</translation>
</message>
<message>
<source>{what}, {pets}</source>
<translation>{what}, {pets}</translation>
</message>
<message>
<source>{what}, {pets}, begun {time}</source>
<translation>{what}, {pets}, début : {time}</translation>
</message>
<message>
<source>{what}, {pets}, closed {time}</source>
<translation>{what}, {pets}, fin : {time}</translation>
</message>
<message>
<source>{what}: from {before} to {after}</source>
<translation>{what} : de {before} à {after}</translation>
</message>
<message>
<source>{what}: {before}, then {after}</source>
<translation>{what} : {before}, puis {after}</translation>
</message>
<message>
<source>{what}: {value}</source>
<translation>{what} : {value}</translation>
</message>
<message>
<source>{which}: {why}</source>
<translation>{which} : {why}</translation>
</message>
<message>
<source>{why} Until then this filter hides nothing.</source>
<translation>{why} D’ici là, ce filtre ne masque rien.</translation>
</message>
<message>
<source>{words} New: {news}</source>
<translation>{words} Nouveautés : {news}</translation>
</message>
<message>
<source>{words} {status}</source>
<comment>a status in words and its number</comment>
<translation>{words} {status}</translation>
</message>
<message>
<source>{words}, {time}</source>
<translation>{words}, {time}</translation>
</message>
<message>
<source>“{text}”</source>
<translation>« {text} »</translation>
</message>
<message>
<source>“{words}”</source>
<translation>« {words} »</translation>
</message>
<message numerus="yes">
<source>−{n} pieces</source>
<translation>
<numerusform>−{n} unité</numerusform>
<numerusform>−{n} unités</numerusform>
</translation>
</message>
<message>
<source>≈ does not count others with the same key.</source>
<translation>≈ ne compte pas les autres avec la même clé.</translation>
</message>
<message numerus="yes">
<source>≈ {n} days left</source>
<translation>
<numerusform>≈ {n} jour restant</numerusform>
<numerusform>≈ {n} jours restants</numerusform>
</translation>
</message>
</context>
</TS>
