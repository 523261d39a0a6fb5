<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
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
<translation>!koi  ohne      =Koi  genau so      "zwei Wörter"</translation>
</message>
<message>
<source>#1234  by its id</source>
<translation>#1234  nach der ID</translation>
</message>
<message>
<source>&amp;About Pet Store Desktop</source>
<translation>&amp;Über Pet Store Desktop</translation>
</message>
<message>
<source>&amp;Activity</source>
<translation>&amp;Aktivität</translation>
</message>
<message>
<source>&amp;Back</source>
<translation>&amp;Zurück</translation>
</message>
<message>
<source>&amp;Categories</source>
<translation>&amp;Kategorien</translation>
</message>
<message>
<source>&amp;Columns</source>
<translation>&amp;Spalten</translation>
</message>
<message>
<source>&amp;Compare two days</source>
<translation>Zwei Tage verglei&amp;chen</translation>
</message>
<message>
<source>&amp;Copy</source>
<translation>&amp;Kopieren</translation>
</message>
<message>
<source>&amp;Copy as picture and numbers</source>
<translation>Als Bild und Zahlen &amp;kopieren</translation>
</message>
<message>
<source>&amp;Copy diagnostics</source>
<translation>Diagnosedaten &amp;kopieren</translation>
</message>
<message>
<source>&amp;Delete</source>
<translation>L&amp;öschen</translation>
</message>
<message>
<source>&amp;Delete this view</source>
<translation>Diese Ansicht &amp;löschen</translation>
</message>
<message>
<source>&amp;Details</source>
<translation>&amp;Details</translation>
</message>
<message>
<source>&amp;Edit</source>
<translation>&amp;Bearbeiten</translation>
</message>
<message>
<source>&amp;Edit value</source>
<translation>&amp;Wert bearbeiten</translation>
</message>
<message>
<source>&amp;Edit…</source>
<translation>Bearbeite&amp;n…</translation>
</message>
<message>
<source>&amp;Export this list…</source>
<translation>Diese Liste e&amp;xportieren…</translation>
</message>
<message>
<source>&amp;Export views…</source>
<translation>Ansichten e&amp;xportieren…</translation>
</message>
<message>
<source>&amp;File</source>
<translation>&amp;Datei</translation>
</message>
<message>
<source>&amp;Filter</source>
<translation>&amp;Filtern</translation>
</message>
<message>
<source>&amp;Fit columns</source>
<translation>Spalten an&amp;passen</translation>
</message>
<message>
<source>&amp;Forward</source>
<translation>&amp;Vorwärts</translation>
</message>
<message>
<source>&amp;Go to its pet</source>
<translation>&amp;Zum Tier</translation>
</message>
<message>
<source>&amp;Help</source>
<translation>&amp;Hilfe</translation>
</message>
<message>
<source>&amp;History</source>
<translation>Verlau&amp;f</translation>
</message>
<message>
<source>&amp;Import views…</source>
<translation>Ansichten im&amp;portieren…</translation>
</message>
<message>
<source>&amp;Inventory</source>
<translation>Besta&amp;nd</translation>
</message>
<message>
<source>&amp;Keys and marks</source>
<translation>&amp;Tasten und Markierungen</translation>
</message>
<message>
<source>&amp;Labels of what was counted…</source>
<translation>&amp;Etiketten für das Gezählte…</translation>
</message>
<message>
<source>&amp;Leave out or include</source>
<translation>&amp;Auslassen oder aufnehmen</translation>
</message>
<message>
<source>&amp;Manual</source>
<translation>&amp;Handbuch</translation>
</message>
<message>
<source>&amp;Mark complete</source>
<translation>Als e&amp;rledigt markieren</translation>
</message>
<message>
<source>&amp;Minimum stock…</source>
<translation>Mind&amp;estbestand…</translation>
</message>
<message>
<source>&amp;Next tab</source>
<translation>Nä&amp;chster Tab</translation>
</message>
<message>
<source>&amp;Note…</source>
<translation>&amp;Anmerkung…</translation>
</message>
<message>
<source>&amp;Open this count again</source>
<translation>Diese Zählung wieder ö&amp;ffnen</translation>
</message>
<message>
<source>&amp;Operations…</source>
<translation>&amp;Operationen…</translation>
</message>
<message>
<source>&amp;Orders</source>
<translation>B&amp;estellungen</translation>
</message>
<message>
<source>&amp;Paste</source>
<translation>Einf&amp;ügen</translation>
</message>
<message>
<source>&amp;Pets</source>
<translation>&amp;Tiere</translation>
</message>
<message>
<source>&amp;Put away</source>
<translation>Aus&amp;blenden</translation>
</message>
<message>
<source>&amp;Quit</source>
<translation>B&amp;eenden</translation>
</message>
<message>
<source>&amp;Redo</source>
<translation>&amp;Wiederholen</translation>
</message>
<message>
<source>&amp;Redo {what}</source>
<translation>&amp;Wiederholen: {what}</translation>
</message>
<message>
<source>&amp;Rename this view…</source>
<translation>Diese Ansicht &amp;umbenennen…</translation>
</message>
<message>
<source>&amp;Report…</source>
<translation>Be&amp;richt…</translation>
</message>
<message>
<source>&amp;Reset columns</source>
<translation>Spalten zu&amp;rücksetzen</translation>
</message>
<message>
<source>&amp;Save view…</source>
<translation>Ansicht &amp;speichern…</translation>
</message>
<message>
<source>&amp;Shop</source>
<translation>&amp;Geschäft</translation>
</message>
<message>
<source>&amp;Show them</source>
<translation>&amp;Anzeigen</translation>
</message>
<message>
<source>&amp;Show these rows</source>
<translation>Diese Zeilen &amp;anzeigen</translation>
</message>
<message>
<source>&amp;Today</source>
<translation>&amp;Heute</translation>
</message>
<message>
<source>&amp;Undo</source>
<translation>&amp;Rückgängig</translation>
</message>
<message>
<source>&amp;Undo {what}</source>
<translation>&amp;Rückgängig: {what}</translation>
</message>
<message>
<source>&amp;Undo…</source>
<translation>&amp;Rückgängig…</translation>
</message>
<message>
<source>&amp;View</source>
<translation>A&amp;nsicht</translation>
</message>
<message>
<source>(empty)</source>
<translation>(leer)</translation>
</message>
<message>
<source>(no name)</source>
<translation>(ohne Namen)</translation>
</message>
<message>
<source>*</source>
<comment>marks a date without time zone</comment>
<translation>*</translation>
</message>
<message>
<source>+1 adds, −1 subtracts, 2 sets</source>
<translation>+1 addiert, −1 zieht ab, 2 setzt</translation>
</message>
<message>
<source>+12 adds, −3 subtracts, 40 or =40 sets</source>
<translation>+12 addiert, −3 zieht ab, 40 oder =40 setzt</translation>
</message>
<message>
<source>+N books in, -N out, and =N counts; N in digits only</source>
<translation>+N bucht ein, -N aus, und =N zählt; N nur in Ziffern</translation>
</message>
<message numerus="yes">
<source>+{n} pieces</source>
<translation>
<numerusform>+{n} Stück</numerusform>
<numerusform>+{n} Stück</numerusform>
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
<translation>--yes würde abgelehnt: {why}</translation>
</message>
<message>
<source>0 requests</source>
<translation>0 Anfragen</translation>
</message>
<message>
<source>1 or 2 requests each. Ctrl+Z undoes it; of a deleted order, only until it is sent.</source>
<translation>Je 1 oder 2 Anfragen. Strg+Z macht es rückgängig; bei einer gelöschten Bestellung nur, bis es gesendet ist.</translation>
</message>
<message>
<source>1 request</source>
<translation>1 Anfrage</translation>
</message>
<message>
<source>5   !5   10|12</source>
<translation>5   !5   10|12</translation>
</message>
<message>
<source>; </source>
<comment>between names that have commas</comment>
<translation>; </translation>
</message>
<message>
<source>=  empty      !=  not empty</source>
<translation>=  leer      !=  nicht leer</translation>
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
<translation>Eine Zelle der Zeile, die in Zeile {n} der Datei beginnt, hat kein Ende oder ist zu lang. Vielleicht fehlt ein Anführungszeichen. Es wurde nichts importiert.</translation>
</message>
<message>
<source>A change belongs to the day on which it was first seen. What changed and changed back is not counted.</source>
<translation>Eine Änderung gehört zu dem Tag, an dem sie zuerst gesehen wurde. Was sich änderte und wieder zurückänderte, wird nicht gezählt.</translation>
</message>
<message>
<source>A code is remembered when you scan it and choose its pet. Our own labels and ids need none of this.</source>
<translation>Ein Code wird gemerkt, wenn Sie ihn scannen und sein Tier wählen. Für eigene Etiketten und IDs ist das nicht nötig.</translation>
</message>
<message>
<source>A damaged file was set aside: {file}.</source>
<translation>Eine beschädigte Datei wurde beiseitegelegt: {file}.</translation>
</message>
<message>
<source>A day, such as {example} or tomorrow; the time stays</source>
<translation>Ein Tag wie {example} oder morgen; die Uhrzeit bleibt</translation>
</message>
<message>
<source>A few words; may be empty.</source>
<translation>Ein paar Worte; darf leer sein.</translation>
</message>
<message>
<source>A field that is needed to tell is a guess by its name. Choose its name first (File &gt; Operations &gt; Fields).</source>
<translation>Ein Feld, das dafür gebraucht wird, ist nach seinem Namen geraten. Wählen Sie zuerst seinen Namen (Datei &gt; Operationen &gt; Felder).</translation>
</message>
<message>
<source>A file of the program</source>
<translation>Eine Datei des Programms</translation>
</message>
<message>
<source>A file or an address, if the service publishes none.</source>
<translation>Eine Datei oder eine Adresse, falls der Dienst keines veröffentlicht.</translation>
</message>
<message>
<source>A file with certificates that are trusted for this shop beside the system’s.</source>
<translation>Eine Datei mit Zertifikaten, denen für dieses Geschäft neben denen des Systems vertraut wird.</translation>
</message>
<message>
<source>A file, an address, or a profile’s name, such as rails. Empty: the one that the service publishes.</source>
<translation>Eine Datei, eine Adresse oder der Name eines Profils, etwa rails. Leer: das Dokument, das der Dienst veröffentlicht.</translation>
</message>
<message>
<source>A key that you enter is held in memory for this run, and is in no file.</source>
<translation>Ein Schlüssel, den Sie eingeben, wird nur bis zum Beenden im Speicher gehalten und steht in keiner Datei.</translation>
</message>
<message>
<source>A network folder can lose saved changes, and two computers can use the same files at once.</source>
<translation>In einem Netzwerkordner können gespeicherte Änderungen verloren gehen, und zwei Computer können dieselben Dateien gleichzeitig verwenden.</translation>
</message>
<message>
<source>A new pet has no stock entry yet: leave this cell empty.</source>
<translation>Ein neues Tier hat noch keinen Bestandseintrag: Lassen Sie diese Zelle leer.</translation>
</message>
<message>
<source>A pasted line was left out: {line}</source>
<translation>Eine eingefügte Zeile wurde ausgelassen: {line}</translation>
</message>
<message>
<source>A pause or a ban by the service stays until it is over.</source>
<translation>Eine Pause oder eine Sperre durch den Dienst bleibt bestehen, bis sie vorüber ist.</translation>
</message>
<message>
<source>A pet belongs to a category: add the first one here.</source>
<translation>Ein Tier gehört zu einer Kategorie: Legen Sie hier die erste an.</translation>
</message>
<message>
<source>A proxy or a sign-in page may stand in between: open the address in a browser to see what answers.</source>
<translation>Vielleicht steht ein Proxy oder eine Anmeldeseite dazwischen: Öffnen Sie die Adresse in einem Browser, um zu sehen, was antwortet.</translation>
</message>
<message>
<source>A scan adds 1; a number and Enter sets how many. Ctrl+Z takes the last one back.</source>
<translation>Ein Scan zählt 1 dazu; eine Zahl und Enter legen fest, wie viele. Strg+Z macht den letzten Schritt rückgängig.</translation>
</message>
<message>
<source>A scan adds 1; a number and Enter sets it.
The next scan commits.</source>
<translation>Ein Scan zählt 1 dazu; eine Zahl und Enter legen die Menge fest.
Der nächste Scan übernimmt sie.</translation>
</message>
<message>
<source>A scanner works wherever you are: its pet’s stock opens for the number.</source>
<translation>Ein Scanner geht überall: Der Bestand seines Tiers öffnet sich für die Zahl.</translation>
</message>
<message>
<source>A spreadsheet rounded this number. Format the column as text, and enter it again.</source>
<translation>Eine Tabellenkalkulation hat diese Zahl gerundet. Formatieren Sie die Spalte als Text und geben Sie die Zahl noch einmal ein.</translation>
</message>
<message>
<source>A stock entry comes with its pet: add the pet.</source>
<translation>Ein Bestandseintrag entsteht mit seinem Tier: Legen Sie das Tier an.</translation>
</message>
<message>
<source>A stock is low when it is at or below its minimum; without one, nothing is ever low.</source>
<translation>Ein Bestand ist knapp, wenn er seinen Mindestbestand erreicht oder unterschreitet; ohne Mindestbestand ist nie etwas knapp.</translation>
</message>
<message>
<source>A web page came back instead of data.</source>
<translation>Statt Daten kam eine Webseite zurück.</translation>
</message>
<message>
<source>A whole shop, kept on this computer: searched as you type, offline too.</source>
<translation>Ein ganzes Geschäft, auf diesem Computer gespeichert: durchsucht, während Sie tippen, auch offline.</translation>
</message>
<message>
<source>A window of its own opens, on a copy of {shop} as it is here. Nothing in it reaches the shop.</source>
<translation>Es öffnet sich ein eigenes Fenster mit einer Kopie von {shop}, wie es hier ist. Nichts darin erreicht das Geschäft.</translation>
</message>
<message>
<source>About Pet Store Desktop</source>
<translation>Über Pet Store Desktop</translation>
</message>
<message>
<source>Activity</source>
<translation>Aktivität</translation>
</message>
<message>
<source>Add a byte order mark, so that Excel reads UTF-8</source>
<translation>Byte-Reihenfolge-Markierung (BOM) hinzufügen, damit Excel UTF-8 liest</translation>
</message>
<message>
<source>Add a category</source>
<translation>Eine Kategorie anlegen</translation>
</message>
<message>
<source>Add a pet</source>
<translation>Ein Tier anlegen</translation>
</message>
<message>
<source>Add an order</source>
<translation>Eine Bestellung anlegen</translation>
</message>
<message>
<source>Add category</source>
<translation>Kategorie anlegen</translation>
</message>
<message>
<source>Add pets</source>
<translation>Tiere anlegen</translation>
</message>
<message numerus="yes">
<source>Add them</source>
<translation>
<numerusform>Anlegen</numerusform>
<numerusform>Anlegen</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Add them again</source>
<translation>
<numerusform>Erneut anlegen</numerusform>
<numerusform>Erneut anlegen</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Add {n}</source>
<translation>
<numerusform>{n} anlegen</numerusform>
<numerusform>{n} anlegen</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Add {n} pets</source>
<translation>
<numerusform>{n} Tier anlegen</numerusform>
<numerusform>{n} Tiere anlegen</numerusform>
</translation>
</message>
<message>
<source>Add {things}</source>
<translation>{things} anlegen</translation>
</message>
<message>
<source>Adding categories</source>
<translation>Anlegen von Kategorien</translation>
</message>
<message>
<source>Adding orders</source>
<translation>Anlegen von Bestellungen</translation>
</message>
<message>
<source>Adding pets</source>
<translation>Anlegen von Tieren</translation>
</message>
<message>
<source>Address</source>
<translation>Adresse</translation>
</message>
<message>
<source>Address of the service</source>
<translation>Adresse des Dienstes</translation>
</message>
<message>
<source>After each code</source>
<translation>Nach jedem Code</translation>
</message>
<message>
<source>All</source>
<translation>Alle</translation>
</message>
<message>
<source>All categories</source>
<translation>Alle Kategorien</translation>
</message>
<message>
<source>All files (*)</source>
<translation>Alle Dateien (*)</translation>
</message>
<message>
<source>All in Activity</source>
<translation>Alle unter Aktivität</translation>
</message>
<message>
<source>All orders</source>
<translation>Alle Bestellungen</translation>
</message>
<message>
<source>All other settings and connections are used. The data of your shops is still here.</source>
<translation>Alle anderen Einstellungen und Verbindungen werden verwendet. Die Daten Ihrer Geschäfte sind noch vorhanden.</translation>
</message>
<message>
<source>All others are shown.</source>
<translation>Alle anderen werden angezeigt.</translation>
</message>
<message>
<source>All pets</source>
<translation>Alle Tiere</translation>
</message>
<message>
<source>All sent, and undone since.</source>
<translation>Alles gesendet und seither rückgängig gemacht.</translation>
</message>
<message>
<source>All stock</source>
<translation>Gesamter Bestand</translation>
</message>
<message>
<source>All stock has a pet</source>
<translation>Jeder Bestand gehört zu einem Tier</translation>
</message>
<message>
<source>All this is in this file, and the same beside it as JSON:</source>
<translation>All dies steht in dieser Datei und daneben noch einmal als JSON:</translation>
</message>
<message>
<source>All this is written to a file in {folder} first.</source>
<translation>All dies wird zuvor in eine Datei in {folder} geschrieben.</translation>
</message>
<message>
<source>All times shown are this computer’s.</source>
<translation>Alle angezeigten Zeiten sind die dieses Computers.</translation>
</message>
<message>
<source>All undone, never sent.</source>
<translation>Alles rückgängig gemacht, nie gesendet.</translation>
</message>
<message numerus="yes">
<source>All undone: {sent} after they were sent, {n} before.</source>
<translation>
<numerusform>Alle rückgängig gemacht: {sent} nach dem Senden, {n} davor.</numerusform>
<numerusform>Alle rückgängig gemacht: {sent} nach dem Senden, {n} davor.</numerusform>
</translation>
</message>
<message>
<source>All your changes there are sent.</source>
<translation>Alle Ihre Änderungen dort sind gesendet.</translation>
</message>
<message>
<source>All {things} were searched.</source>
<translation>Alles wurde durchsucht: {things}.</translation>
</message>
<message>
<source>All: {rows}</source>
<translation>Alle: {rows}</translation>
</message>
<message>
<source>Already has this value: costs nothing</source>
<translation>Hat diesen Wert schon: kostet nichts</translation>
</message>
<message>
<source>Amber</source>
<translation>Bernstein</translation>
</message>
<message>
<source>An order stays with its pet.</source>
<translation>Eine Bestellung bleibt bei ihrem Tier.</translation>
</message>
<message>
<source>Animations</source>
<translation>Animationen</translation>
</message>
<message>
<source>Another connection has this name; choose another.</source>
<translation>Eine andere Verbindung hat diesen Namen; wählen Sie einen anderen.</translation>
</message>
<message>
<source>Another value</source>
<translation>Anderer Wert</translation>
</message>
<message>
<source>Another window uses this data folder.</source>
<translation>Ein anderes Fenster verwendet diesen Datenordner.</translation>
</message>
<message>
<source>Answer</source>
<translation>Antwort</translation>
</message>
<message>
<source>Any day</source>
<translation>Jeder Tag</translation>
</message>
<message>
<source>Any status</source>
<translation>Jeder Status</translation>
</message>
<message>
<source>As here: {limits}</source>
<translation>Wie hier: {limits}</translation>
</message>
<message>
<source>As many as in stock</source>
<translation>So viele wie im Bestand</translation>
</message>
<message>
<source>As many as received</source>
<translation>So viele wie eingegangen</translation>
</message>
<message>
<source>As seen {time}</source>
<translation>Gesehen {time}</translation>
</message>
<message>
<source>Ask once a week</source>
<translation>Einmal pro Woche nachsehen</translation>
</message>
<message>
<source>Ask the proxy’s administrator which certificate it needs.</source>
<translation>Fragen Sie den Administrator des Proxys, welches Zertifikat er braucht.</translation>
</message>
<message>
<source>Ask the proxy’s administrator, or exclude this service (NO_PROXY).</source>
<translation>Fragen Sie den Administrator des Proxys oder nehmen Sie diesen Dienst aus (NO_PROXY).</translation>
</message>
<message>
<source>Ask the proxy’s administrator.</source>
<translation>Fragen Sie den Administrator des Proxys.</translation>
</message>
<message>
<source>Ask the service’s provider for a newer one, or choose another document.</source>
<translation>Bitten Sie den Betreiber des Dienstes um ein neueres oder wählen Sie ein anderes Dokument.</translation>
</message>
<message>
<source>Ask the service’s provider for the permission, or use another key.</source>
<translation>Bitten Sie den Betreiber des Dienstes um die Berechtigung oder verwenden Sie einen anderen Schlüssel.</translation>
</message>
<message>
<source>Ask the service’s provider to allow it, or use another key.</source>
<translation>Bitten Sie den Betreiber des Dienstes, dies zu erlauben, oder verwenden Sie einen anderen Schlüssel.</translation>
</message>
<message>
<source>Ask the service’s provider to let this key read, or use another key.</source>
<translation>Bitten Sie den Betreiber des Dienstes, diesem Schlüssel das Lesen zu erlauben, oder verwenden Sie einen anderen Schlüssel.</translation>
</message>
<message>
<source>Ask the service’s provider.</source>
<translation>Fragen Sie den Betreiber des Dienstes.</translation>
</message>
<message>
<source>Ask the service’s provider. If it is a mistake, end the pause in the window: Shop &gt; Resume now. A key that resumes too early may be banned.</source>
<translation>Fragen Sie den Betreiber des Dienstes. Wenn es ein Irrtum ist, beenden Sie die Pause im Fenster: Geschäft &gt; Jetzt fortsetzen. Ein Schlüssel, der zu früh fortsetzt, kann gesperrt werden.</translation>
</message>
<message>
<source>Asking the service…</source>
<translation>Der Dienst wird befragt…</translation>
</message>
<message numerus="yes">
<source>At least {n}: there may be more that were not read</source>
<translation>
<numerusform>Mindestens {n}: Es kann weitere geben, die nicht gelesen wurden</numerusform>
<numerusform>Mindestens {n}: Es kann weitere geben, die nicht gelesen wurden</numerusform>
</translation>
</message>
<message>
<source>At most {n} cells can be changed at once.</source>
<translation>Höchstens {n} Zellen können auf einmal geändert werden.</translation>
</message>
<message>
<source>At this address the service has no such list: {said}.</source>
<translation>Unter dieser Adresse hat der Dienst keine solche Liste: {said}.</translation>
</message>
<message>
<source>Automatic</source>
<translation>Automatisch</translation>
</message>
<message>
<source>Automatic ({endpoint})</source>
<translation>Automatisch ({endpoint})</translation>
</message>
<message>
<source>Automatic ({name})</source>
<translation>Automatisch ({name})</translation>
</message>
<message>
<source>Back</source>
<translation>Zurück</translation>
</message>
<message>
<source>Bar code scanner</source>
<translation>Barcode-Scanner</translation>
</message>
<message>
<source>Bar codes</source>
<translation>Barcodes</translation>
</message>
<message>
<source>Bar codes (*.json)</source>
<translation>Barcodes (*.json)</translation>
</message>
<message>
<source>Bar codes…</source>
<translation>Barcodes…</translation>
</message>
<message>
<source>Bar |</source>
<translation>Strich |</translation>
</message>
<message>
<source>Bars of {width} mm: hard to scan. Choose QR, or larger labels.</source>
<translation>Strichbreite {width} mm: schwer zu scannen. Wählen Sie QR oder größere Etiketten.</translation>
</message>
<message>
<source>Bars of {width} mm: safe for hand scanners</source>
<translation>Strichbreite {width} mm: sicher für Handscanner</translation>
</message>
<message>
<source>Batch</source>
<translation>Stapel</translation>
</message>
<message>
<source>Beep</source>
<translation>Signalton</translation>
</message>
<message>
<source>Before</source>
<translation>Vorher</translation>
</message>
<message>
<source>Before each code</source>
<translation>Vor jedem Code</translation>
</message>
<message>
<source>Before: {day}</source>
<translation>Vorher: {day}</translation>
</message>
<message>
<source>Begun {began}, closed {ended}.</source>
<translation>Begonnen: {began}; abgeschlossen: {ended}.</translation>
</message>
<message>
<source>Begun {time}.</source>
<translation>Begonnen: {time}.</translation>
</message>
<message>
<source>Below zero</source>
<translation>Unter null</translation>
</message>
<message>
<source>Big5, Chinese</source>
<translation>Big5, Chinesisch</translation>
</message>
<message>
<source>Blind count</source>
<translation>Blindzählung</translation>
</message>
<message>
<source>Blue</source>
<translation>Blau</translation>
</message>
<message>
<source>Book</source>
<translation>Buchen</translation>
</message>
<message>
<source>Book the count</source>
<translation>Zählung buchen</translation>
</message>
<message>
<source>Book the count: {what}</source>
<translation>Zählung buchen: {what}</translation>
</message>
<message numerus="yes">
<source>Book {n} lines</source>
<translation>
<numerusform>{n} Position buchen</numerusform>
<numerusform>{n} Positionen buchen</numerusform>
</translation>
</message>
<message>
<source>Booked</source>
<translation>Gebucht</translation>
</message>
<message>
<source>Booked in or out</source>
<translation>Zu- oder Abgang</translation>
</message>
<message>
<source>Browse…</source>
<translation>Durchsuchen…</translation>
</message>
<message>
<source>Built with</source>
<translation>Gebaut mit</translation>
</message>
<message>
<source>By</source>
<translation>Durch</translation>
</message>
<message>
<source>C&amp;hanges</source>
<translation>Änder&amp;ungen</translation>
</message>
<message>
<source>C&amp;heck the connection…</source>
<translation>&amp;Verbindung prüfen…</translation>
</message>
<message>
<source>C&amp;hoose a view…</source>
<translation>Ansicht &amp;wählen…</translation>
</message>
<message>
<source>C&amp;lear filter</source>
<translation>Fi&amp;lter aufheben</translation>
</message>
<message>
<source>CA file (optional)</source>
<translation>CA-Datei (optional)</translation>
</message>
<message>
<source>Cancel</source>
<translation>Abbrechen</translation>
</message>
<message>
<source>Cancel an order</source>
<translation>Eine Bestellung stornieren</translation>
</message>
<message>
<source>Cancel or&amp;der…</source>
<translation>&amp;Bestellung stornieren…</translation>
</message>
<message>
<source>Cancelling orders</source>
<translation>Stornieren von Bestellungen</translation>
</message>
<message>
<source>Cannot be redone: {what} ({why})</source>
<translation>Kann nicht wiederholt werden: {what} ({why})</translation>
</message>
<message>
<source>Cannot be undone: {what} ({why})</source>
<translation>Kann nicht rückgängig gemacht werden: {what} ({why})</translation>
</message>
<message>
<source>Categories</source>
<translation>Kategorien</translation>
</message>
<message>
<source>Categories changed today</source>
<translation>Heute geänderte Kategorien</translation>
</message>
<message>
<source>Categories that need attention</source>
<translation>Zu klärende Kategorien</translation>
</message>
<message>
<source>Category</source>
<translation>Kategorie</translation>
</message>
<message>
<source>Category id</source>
<translation>ID der Kategorie</translation>
</message>
<message>
<source>Certificate</source>
<translation>Zertifikat</translation>
</message>
<message>
<source>Certificates</source>
<translation>Zertifikate</translation>
</message>
<message>
<source>Certificates (*.pem *.crt *.cer)</source>
<translation>Zertifikate (*.pem *.crt *.cer)</translation>
</message>
<message>
<source>Certificates to trust, if your company signs its own.</source>
<translation>Zertifikate, denen vertraut werden soll, falls Ihre Firma ihre eigenen signiert.</translation>
</message>
<message>
<source>Change</source>
<translation>Änderung</translation>
</message>
<message>
<source>Change &amp;key…</source>
<translation>Sch&amp;lüssel ändern…</translation>
</message>
<message>
<source>Change a category</source>
<translation>Eine Kategorie ändern</translation>
</message>
<message>
<source>Change a pet</source>
<translation>Ein Tier ändern</translation>
</message>
<message>
<source>Change an order</source>
<translation>Eine Bestellung ändern</translation>
</message>
<message>
<source>Change it and send it again, or discard it.</source>
<translation>Bearbeiten Sie die Änderung und senden Sie sie erneut, oder verwerfen Sie sie.</translation>
</message>
<message>
<source>Change key…</source>
<translation>Schlüssel ändern…</translation>
</message>
<message>
<source>Change stock</source>
<translation>Bestand ändern</translation>
</message>
<message>
<source>Change the category of {things}</source>
<translation>Kategorie für {things} ändern</translation>
</message>
<message>
<source>Change the description of {things}</source>
<translation>Beschreibung für {things} ändern</translation>
</message>
<message>
<source>Change the line, or choose another profile. The manual says what one may say.</source>
<translation>Ändern Sie die Zeile, oder wählen Sie ein anderes Profil. Das Handbuch sagt, was darin stehen kann.</translation>
</message>
<message>
<source>Change the quantity of {things}</source>
<translation>Menge für {things} ändern</translation>
</message>
<message>
<source>Change the ship date of {things}</source>
<translation>Versanddatum für {things} ändern</translation>
</message>
<message>
<source>Change the state of {things}</source>
<translation>Zustand für {things} ändern</translation>
</message>
<message>
<source>Change the status of {things}</source>
<translation>Status für {things} ändern</translation>
</message>
<message>
<source>Change the stock of {things}</source>
<translation>Bestand für {things} ändern</translation>
</message>
<message>
<source>Change this size…</source>
<translation>Diese Größe ändern…</translation>
</message>
<message numerus="yes">
<source>Change {n}</source>
<translation>
<numerusform>{n} ändern</numerusform>
<numerusform>{n} ändern</numerusform>
</translation>
</message>
<message>
<source>Change {things}</source>
<translation>{things} ändern</translation>
</message>
<message>
<source>Changed about when it was counted: recount or decide</source>
<translation>Um die Zeit der Zählung geändert: neu zählen oder entscheiden</translation>
</message>
<message>
<source>Changed between {since} and {time}</source>
<translation>Geändert zwischen {since} und {time}</translation>
</message>
<message>
<source>Changed elsewhere meanwhile: {theirs}. Nothing was overwritten.</source>
<translation>Inzwischen anderswo geändert: {theirs}. Nichts wurde überschrieben.</translation>
</message>
<message>
<source>Changed meanwhile: left out</source>
<translation>Inzwischen geändert: ausgelassen</translation>
</message>
<message>
<source>Changed on this computer since it was counted: recount or decide</source>
<translation>Seit der Zählung auf diesem Computer geändert: neu zählen oder entscheiden</translation>
</message>
<message>
<source>Changed on this computer since: recount or decide</source>
<translation>Seither auf diesem Computer geändert: neu zählen oder entscheiden</translation>
</message>
<message>
<source>Changed today</source>
<translation>Heute geändert</translation>
</message>
<message>
<source>Changed today</source>
<comment>a record</comment>
<translation>Heute geändert</translation>
</message>
<message>
<source>Changes</source>
<translation>Änderungen</translation>
</message>
<message>
<source>Changes between the two moments</source>
<translation>Änderungen zwischen den beiden Zeitpunkten</translation>
</message>
<message>
<source>Changes from {then} to {now}</source>
<translation>Änderungen von {then} bis {now}</translation>
</message>
<message>
<source>Changes of this record: its name or id</source>
<translation>Änderungen dieses Datensatzes: Name oder ID</translation>
</message>
<message>
<source>Changes wait for the old address; send or discard them first.</source>
<translation>Für die alte Adresse warten Änderungen; senden oder verwerfen Sie sie zuerst.</translation>
</message>
<message>
<source>Changes wait: the rest of today’s requests is kept for you</source>
<translation>Änderungen warten: Der Rest der heutigen Anfragen bleibt für Sie</translation>
</message>
<message>
<source>Changing categories</source>
<translation>Ändern von Kategorien</translation>
</message>
<message>
<source>Changing orders</source>
<translation>Ändern von Bestellungen</translation>
</message>
<message>
<source>Changing pets</source>
<translation>Ändern von Tieren</translation>
</message>
<message>
<source>Changing stock</source>
<translation>Ändern des Bestands</translation>
</message>
<message>
<source>Check &amp;live</source>
<translation>&amp;Live prüfen</translation>
</message>
<message>
<source>Check again</source>
<translation>Erneut prüfen</translation>
</message>
<message>
<source>Check again after that.</source>
<translation>Prüfen Sie danach erneut.</translation>
</message>
<message>
<source>Check its path or address, or leave it out.</source>
<translation>Prüfen Sie seinen Pfad oder seine Adresse oder lassen Sie es weg.</translation>
</message>
<message>
<source>Check its permissions.</source>
<translation>Prüfen Sie ihre Zugriffsrechte.</translation>
</message>
<message>
<source>Check live</source>
<translation>Live prüfen</translation>
</message>
<message>
<source>Check that the keyring runs and is unlocked, then forget the connection again.</source>
<translation>Sehen Sie nach, ob der Schlüsselbund läuft und entsperrt ist, und entfernen Sie die Verbindung dann noch einmal.</translation>
</message>
<message>
<source>Check the address and its path (it often ends in /v1). If the service has other paths, add its document, or choose what it is built with.</source>
<translation>Prüfen Sie die Adresse und ihren Pfad (er endet oft auf /v1). Wenn der Dienst andere Pfade hat, geben Sie sein Dokument an, oder wählen Sie, womit er gebaut ist.</translation>
</message>
<message>
<source>Check the address and its path, or ask the service’s provider for the new one.</source>
<translation>Prüfen Sie die Adresse und ihren Pfad oder fragen Sie den Betreiber des Dienstes nach der neuen.</translation>
</message>
<message>
<source>Check the address and its path, or ask the service’s provider.</source>
<translation>Prüfen Sie die Adresse und ihren Pfad oder fragen Sie den Betreiber des Dienstes.</translation>
</message>
<message>
<source>Check the address and its path.</source>
<translation>Prüfen Sie die Adresse und ihren Pfad.</translation>
</message>
<message>
<source>Check the address and its path: this may be another service.</source>
<translation>Prüfen Sie die Adresse und ihren Pfad: Dies ist vielleicht ein anderer Dienst.</translation>
</message>
<message>
<source>Check the address and the document in the connection’s settings.</source>
<translation>Prüfen Sie die Adresse und das Dokument in den Einstellungen der Verbindung.</translation>
</message>
<message>
<source>Check the address, and what the document in the connection’s settings says about this list.</source>
<translation>Prüfen Sie die Adresse und was das Dokument in den Einstellungen der Verbindung über diese Liste sagt.</translation>
</message>
<message>
<source>Check the address, or choose another document.</source>
<translation>Prüfen Sie die Adresse oder wählen Sie ein anderes Dokument.</translation>
</message>
<message>
<source>Check the address.</source>
<translation>Prüfen Sie die Adresse.</translation>
</message>
<message>
<source>Check the address: it must have the name that the certificate is for.</source>
<translation>Prüfen Sie die Adresse: Sie muss den Namen haben, für den das Zertifikat gilt.</translation>
</message>
<message>
<source>Check the address; a name inside a company may need its network first.</source>
<translation>Prüfen Sie die Adresse; für einen firmeninternen Namen ist vielleicht zuerst das Firmennetz nötig.</translation>
</message>
<message>
<source>Check the address; the service may be down.</source>
<translation>Prüfen Sie die Adresse; der Dienst ist vielleicht außer Betrieb.</translation>
</message>
<message>
<source>Check the connection to {shop}</source>
<translation>Verbindung zu {shop} prüfen</translation>
</message>
<message>
<source>Check the disk and restart the program. Make the last change again only if it is missing then.</source>
<translation>Prüfen Sie den Datenträger und starten Sie das Programm neu. Nehmen Sie die letzte Änderung nur noch einmal vor, wenn sie danach fehlt.</translation>
</message>
<message>
<source>Check the disk, then restart the program.</source>
<translation>Prüfen Sie den Datenträger und starten Sie das Programm dann neu.</translation>
</message>
<message>
<source>Check the disk, then try again.</source>
<translation>Prüfen Sie den Datenträger und versuchen Sie es dann erneut.</translation>
</message>
<message>
<source>Check the document, or choose another one.</source>
<translation>Prüfen Sie das Dokument oder wählen Sie ein anderes.</translation>
</message>
<message>
<source>Check the keyring’s own program, then enter the key again.</source>
<translation>Prüfen Sie das Programm des Schlüsselbunds und geben Sie den Schlüssel dann noch einmal ein.</translation>
</message>
<message>
<source>Check the network, or a VPN that may be needed.</source>
<translation>Prüfen Sie das Netzwerk und ob ein VPN nötig ist.</translation>
</message>
<message>
<source>Check the path of the address, or ask the service’s provider for the right one.</source>
<translation>Prüfen Sie den Pfad der Adresse oder fragen Sie den Betreiber des Dienstes nach dem richtigen.</translation>
</message>
<message>
<source>Check the permissions of its folder, then restart the program.</source>
<translation>Prüfen Sie die Zugriffsrechte des Ordners und starten Sie das Programm dann neu.</translation>
</message>
<message>
<source>Check the permissions of its folder, then try again.</source>
<translation>Prüfen Sie die Zugriffsrechte des Ordners und versuchen Sie es dann erneut.</translation>
</message>
<message>
<source>Check the port in the address.</source>
<translation>Prüfen Sie den Port in der Adresse.</translation>
</message>
<message>
<source>Check the port in the address; the key is never sent unencrypted.</source>
<translation>Prüfen Sie den Port in der Adresse; der Schlüssel wird nie unverschlüsselt gesendet.</translation>
</message>
<message>
<source>Check the port; a firewall can do this as well.</source>
<translation>Prüfen Sie den Port; auch eine Firewall kann die Ursache sein.</translation>
</message>
<message>
<source>Check the proxy’s address and the network.</source>
<translation>Prüfen Sie die Adresse des Proxys und das Netzwerk.</translation>
</message>
<message>
<source>Check the record live.</source>
<translation>Prüfen Sie den Datensatz live.</translation>
</message>
<message>
<source>Check this computer’s clock. If it is right, ask the service’s provider.</source>
<translation>Prüfen Sie die Uhr dieses Computers. Wenn sie stimmt, fragen Sie den Betreiber des Dienstes.</translation>
</message>
<message>
<source>Check this computer’s clock. If it is right, the service’s provider must renew the certificate.</source>
<translation>Prüfen Sie die Uhr dieses Computers. Wenn sie stimmt, muss der Betreiber des Dienstes das Zertifikat erneuern.</translation>
</message>
<message>
<source>Check whether another window asks for its password, then check again.</source>
<translation>Sehen Sie nach, ob ein anderes Fenster nach seinem Passwort fragt, und prüfen Sie dann erneut.</translation>
</message>
<message>
<source>Check whether another window asks for its password, then enter the key again.</source>
<translation>Sehen Sie nach, ob ein anderes Fenster nach seinem Passwort fragt, und geben Sie den Schlüssel dann noch einmal ein.</translation>
</message>
<message>
<source>Check whether the disk is full or its folder is write-protected.</source>
<translation>Prüfen Sie, ob der Datenträger voll oder der Ordner schreibgeschützt ist.</translation>
</message>
<message>
<source>Check whether the disk is full, then restart the program. The earlier version still works.</source>
<translation>Prüfen Sie, ob der Datenträger voll ist, und starten Sie das Programm dann neu. Die frühere Version funktioniert weiterhin.</translation>
</message>
<message>
<source>Check your last changes, and make the missing ones again.</source>
<translation>Prüfen Sie Ihre letzten Änderungen und nehmen Sie die fehlenden noch einmal vor.</translation>
</message>
<message>
<source>Choose QR, or larger labels.</source>
<translation>Wählen Sie QR oder größere Etiketten.</translation>
</message>
<message>
<source>Choose a category</source>
<translation>Kategorie wählen</translation>
</message>
<message>
<source>Choose a category.</source>
<translation>Wählen Sie eine Kategorie.</translation>
</message>
<message>
<source>Choose a day</source>
<translation>Tag wählen</translation>
</message>
<message>
<source>Choose a document with those for pets, categories, orders and stock alone.</source>
<translation>Wählen Sie ein Dokument, das nur die Operationen für Tiere, Kategorien, Bestellungen und Bestand enthält.</translation>
</message>
<message>
<source>Choose a file from “Export views”. If it is incomplete, export or copy it again.</source>
<translation>Wählen Sie eine Datei aus „Ansichten exportieren“. Wenn sie unvollständig ist, exportieren oder kopieren Sie sie noch einmal.</translation>
</message>
<message>
<source>Choose a file from “Export” of “Bar codes”. If it is incomplete, export or copy it again.</source>
<translation>Wählen Sie eine Datei aus „Exportieren“ unter „Barcodes“. Wenn sie unvollständig ist, exportieren oder kopieren Sie sie noch einmal.</translation>
</message>
<message>
<source>Choose a file in PEM form, with BEGIN CERTIFICATE in it.</source>
<translation>Wählen Sie eine Datei im PEM-Format, in der BEGIN CERTIFICATE steht.</translation>
</message>
<message>
<source>Choose a file with only the certificates of the authority that the service needs.</source>
<translation>Wählen Sie eine Datei, die nur die Zertifikate der Zertifizierungsstelle enthält, die der Dienst braucht.</translation>
</message>
<message>
<source>Choose a file, or move this away, then try again.</source>
<translation>Wählen Sie eine Datei oder räumen Sie dies aus dem Weg und versuchen Sie es dann erneut.</translation>
</message>
<message>
<source>Choose a file…</source>
<translation>Datei wählen…</translation>
</message>
<message>
<source>Choose a pet.</source>
<translation>Wählen Sie ein Tier.</translation>
</message>
<message>
<source>Choose a row first.</source>
<translation>Wählen Sie zuerst eine Zeile.</translation>
</message>
<message>
<source>Choose another document, or connect without one.</source>
<translation>Wählen Sie ein anderes Dokument oder verbinden Sie sich ohne eines.</translation>
</message>
<message>
<source>Choose another document.</source>
<translation>Wählen Sie ein anderes Dokument.</translation>
</message>
<message>
<source>Choose another file, or put it back.</source>
<translation>Wählen Sie eine andere Datei, oder legen Sie sie zurück.</translation>
</message>
<message>
<source>Choose another file…</source>
<translation>Andere Datei wählen…</translation>
</message>
<message>
<source>Choose another folder, or create this one.</source>
<translation>Wählen Sie einen anderen Ordner oder erstellen Sie diesen.</translation>
</message>
<message>
<source>Choose another place…</source>
<translation>Anderen Ort wählen…</translation>
</message>
<message>
<source>Choose its pet</source>
<translation>Tier dazu wählen</translation>
</message>
<message>
<source>Choose larger labels.</source>
<translation>Wählen Sie größere Etiketten.</translation>
</message>
<message>
<source>Choose open or complete.</source>
<translation>Wählen Sie offen oder erledigt.</translation>
</message>
<message>
<source>Choose pets</source>
<translation>Tiere wählen</translation>
</message>
<message>
<source>Choose the OpenAPI document</source>
<translation>OpenAPI-Dokument wählen</translation>
</message>
<message>
<source>Choose the days first.</source>
<translation>Wählen Sie zuerst die Tage.</translation>
</message>
<message>
<source>Choose the file with certificates</source>
<translation>Datei mit Zertifikaten wählen</translation>
</message>
<message>
<source>Choose the plan that the program counts by. The demo shop keeps the plan it was started with.</source>
<translation>Wählen Sie den Tarif, nach dem das Programm zählt. Das Demo-Geschäft behält den Tarif, mit dem es gestartet wurde.</translation>
</message>
<message>
<source>Choose your plan in the connection’s settings. Until then the program sends one request at a time.</source>
<translation>Wählen Sie Ihren Tarif in den Einstellungen der Verbindung. Bis dahin sendet das Programm immer nur eine Anfrage auf einmal.</translation>
</message>
<message>
<source>Choose…</source>
<translation>Wählen…</translation>
</message>
<message>
<source>Chosen pets</source>
<translation>Gewählte Tiere</translation>
</message>
<message numerus="yes">
<source>Chosen; {n} more fields of this record to choose</source>
<translation>
<numerusform>Gewählt; noch 1 Feld zu wählen</numerusform>
<numerusform>Gewählt; noch {n} Felder dieses Datensatzes zu wählen</numerusform>
</translation>
</message>
<message>
<source>Clear all</source>
<translation>Alle aufheben</translation>
</message>
<message>
<source>Clear all filters</source>
<translation>Alle Filter aufheben</translation>
</message>
<message>
<source>Clear filter</source>
<translation>Filter aufheben</translation>
</message>
<message>
<source>Click a place on the sheet to begin there.</source>
<translation>Klicken Sie auf einen Platz des Blatts, um dort zu beginnen.</translation>
</message>
<message>
<source>Clock</source>
<translation>Uhr</translation>
</message>
<message>
<source>Clocks differ by {length}</source>
<translation>Uhren weichen um {length} ab</translation>
</message>
<message>
<source>Close</source>
<translation>Schließen</translation>
</message>
<message>
<source>Close Pet Store Desktop?</source>
<translation>Pet Store Desktop schließen?</translation>
</message>
<message>
<source>Close details</source>
<translation>Details schließen</translation>
</message>
<message>
<source>Close that program, then restart this one.</source>
<translation>Schließen Sie das andere Programm und starten Sie dieses dann neu.</translation>
</message>
<message>
<source>Close that program, then try again.</source>
<translation>Schließen Sie das andere Programm und versuchen Sie es dann erneut.</translation>
</message>
<message>
<source>Close the count &amp;without booking</source>
<translation>Zählung &amp;ohne Buchung abschließen</translation>
</message>
<message>
<source>Close the preview before you go on counting.</source>
<translation>Schließen Sie die Vorschau, bevor Sie weiterzählen.</translation>
</message>
<message>
<source>Close without importing?</source>
<translation>Schließen, ohne zu importieren?</translation>
</message>
<message>
<source>Close without saving?</source>
<translation>Schließen, ohne zu speichern?</translation>
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
<translation>Angezeigte &amp;Spalten</translation>
</message>
<message>
<source>Colour beside its name</source>
<translation>Farbe neben dem Namen</translation>
</message>
<message>
<source>Column</source>
<translation>Spalte</translation>
</message>
<message>
<source>Column in the file</source>
<translation>Spalte in der Datei</translation>
</message>
<message numerus="yes">
<source>Column {n}</source>
<translation>
<numerusform>Spalte {n}</numerusform>
<numerusform>Spalte {n}</numerusform>
</translation>
</message>
<message>
<source>Columns</source>
<translation>Spalten</translation>
</message>
<message>
<source>Columns: {columns}.</source>
<translation>Spalten: {columns}.</translation>
</message>
<message>
<source>Comma</source>
<translation>Komma</translation>
</message>
<message>
<source>Compare both values, then send yours again or discard it.</source>
<translation>Vergleichen Sie beide Werte und senden Sie dann Ihren erneut oder verwerfen Sie ihn.</translation>
</message>
<message>
<source>Compare from {time}</source>
<translation>Ab {time} vergleichen</translation>
</message>
<message>
<source>Compare the record with what you wanted, and change it where needed.</source>
<translation>Vergleichen Sie den Datensatz mit dem, was Sie wollten, und ändern Sie ihn, wo es nötig ist.</translation>
</message>
<message>
<source>Compare the records of your last changes with what you wanted (Activity).</source>
<translation>Vergleichen Sie die Datensätze Ihrer letzten Änderungen mit dem, was Sie wollten (Aktivität).</translation>
</message>
<message>
<source>Compare this computer’s clock with another one, such as a phone’s.</source>
<translation>Vergleichen Sie die Uhr dieses Computers mit einer anderen, zum Beispiel der eines Telefons.</translation>
</message>
<message>
<source>Compare two days</source>
<translation>Zwei Tage vergleichen</translation>
</message>
<message>
<source>Compare up to now</source>
<translation>Bis jetzt vergleichen</translation>
</message>
<message>
<source>Comparing {n} of {total}</source>
<translation>Vergleich: {n} von {total}</translation>
</message>
<message numerus="yes">
<source>Comparing: {n} %</source>
<translation>
<numerusform>Vergleich: {n} %</numerusform>
<numerusform>Vergleich: {n} %</numerusform>
</translation>
</message>
<message>
<source>Complete</source>
<translation>Erledigt</translation>
</message>
<message>
<source>Connect</source>
<translation>Verbinden</translation>
</message>
<message>
<source>Connect &amp;another shop…</source>
<translation>&amp;Weiteres Geschäft verbinden…</translation>
</message>
<message>
<source>Connect again under the same name and address.</source>
<translation>Verbinden Sie sich unter demselben Namen und derselben Adresse erneut.</translation>
</message>
<message>
<source>Connect another shop</source>
<translation>Weiteres Geschäft verbinden</translation>
</message>
<message>
<source>Connect to a network.</source>
<translation>Stellen Sie eine Verbindung zu einem Netzwerk her.</translation>
</message>
<message>
<source>Connect your shop</source>
<translation>Ihr Geschäft verbinden</translation>
</message>
<message>
<source>Connection &amp;settings…</source>
<translation>Verbindungsein&amp;stellungen…</translation>
</message>
<message>
<source>Connection settings</source>
<translation>Verbindungseinstellungen</translation>
</message>
<message>
<source>Continue</source>
<translation>Fortfahren</translation>
</message>
<message>
<source>Cop&amp;y id</source>
<translation>ID ko&amp;pieren</translation>
</message>
<message>
<source>Copies</source>
<translation>Exemplare</translation>
</message>
<message>
<source>Copy</source>
<translation>Kopieren</translation>
</message>
<message>
<source>Copy &amp;requests for support</source>
<translation>&amp;Anfragen für den Support kopieren</translation>
</message>
<message>
<source>Copy diagnostics</source>
<translation>Diagnosedaten kopieren</translation>
</message>
<message>
<source>Copy for support</source>
<translation>Für den Support kopieren</translation>
</message>
<message>
<source>Copy it again, and nothing else with it.</source>
<translation>Kopieren Sie ihn noch einmal, und sonst nichts.</translation>
</message>
<message>
<source>Copy it again, without spaces and line breaks.</source>
<translation>Kopieren Sie ihn noch einmal, ohne Leerzeichen und Zeilenumbrüche.</translation>
</message>
<message>
<source>Copy the &amp;sentence</source>
<translation>&amp;Satz kopieren</translation>
</message>
<message>
<source>Copy the sentence ({key})</source>
<translation>Satz kopieren ({key})</translation>
</message>
<message>
<source>Copy the whole key again, or ask for another one.</source>
<translation>Kopieren Sie den ganzen Schlüssel noch einmal oder bitten Sie um einen anderen.</translation>
</message>
<message>
<source>Copy the whole key again, or ask for another one. If the service expects the key in an unusual place, add its OpenAPI document.</source>
<translation>Kopieren Sie den ganzen Schlüssel noch einmal oder bitten Sie um einen anderen. Falls der Dienst den Schlüssel an einer ungewöhnlichen Stelle erwartet, geben Sie sein OpenAPI-Dokument an.</translation>
</message>
<message>
<source>Copy this key again, or ask the service’s provider for another one.</source>
<translation>Kopieren Sie diesen Schlüssel noch einmal oder bitten Sie den Betreiber des Dienstes um einen anderen.</translation>
</message>
<message>
<source>Copy with &amp;headers</source>
<translation>Mit &amp;Spaltentiteln kopieren</translation>
</message>
<message numerus="yes">
<source>Copy {n} wrong rows with the reasons</source>
<translation>
<numerusform>{n} falsche Zeile mit dem Grund kopieren</numerusform>
<numerusform>{n} falsche Zeilen mit den Gründen kopieren</numerusform>
</translation>
</message>
<message>
<source>Correct the clock that is wrong. Pauses are exact all the same.</source>
<translation>Stellen Sie die Uhr richtig, die falsch geht. Die Pausen sind trotzdem genau.</translation>
</message>
<message>
<source>Could not be refreshed</source>
<translation>Konnte nicht aktualisiert werden</translation>
</message>
<message>
<source>Count {pet} again: scan it, or type its number. Undo brings back its count.</source>
<translation>Zählen Sie {pet} noch einmal: Scannen Sie es oder geben Sie die Zahl ein. Rückgängig bringt die Zählung zurück.</translation>
</message>
<message>
<source>Counted</source>
<translation>Gezählt</translation>
</message>
<message>
<source>Counted</source>
<comment>a list</comment>
<translation>Gezählt</translation>
</message>
<message>
<source>Counted at</source>
<translation>Gezählt um</translation>
</message>
<message>
<source>Counted by</source>
<translation>Gezählt von</translation>
</message>
<message>
<source>Counted by {who}.</source>
<translation>Gezählt von {who}.</translation>
</message>
<message>
<source>Counted here: the service does not say.</source>
<translation>Hier gezählt: Der Dienst meldet es nicht.</translation>
</message>
<message>
<source>Counting goes on; review the variances again when it is done.</source>
<translation>Es wird weitergezählt; prüfen Sie die Differenzen noch einmal, wenn alles gezählt ist.</translation>
</message>
<message>
<source>Create</source>
<translation>Anlegen</translation>
</message>
<message>
<source>Ctrl+Enter shows it in its list</source>
<translation>Strg+Enter zeigt es in seiner Liste</translation>
</message>
<message>
<source>Ctrl+Z undoes all of it, even tomorrow.</source>
<translation>Strg+Z macht alles rückgängig, auch morgen noch.</translation>
</message>
<message>
<source>Ctrl+Z undoes it only until it is sent.</source>
<translation>Strg+Z macht es nur rückgängig, bis es gesendet ist.</translation>
</message>
<message>
<source>Ctrl+Z undoes it until it is sent. After that this service cannot restore it.</source>
<translation>Strg+Z macht es rückgängig, bis es gesendet ist. Danach kann dieser Dienst es nicht wiederherstellen.</translation>
</message>
<message>
<source>Ctrl+Z undoes it, but sent new records stay: this service does not delete them.</source>
<translation>Strg+Z macht es rückgängig, aber gesendete neue Datensätze bleiben: Dieser Dienst löscht sie nicht.</translation>
</message>
<message>
<source>Ctrl+Z undoes it, sent or not, tomorrow too.</source>
<translation>Strg+Z macht es rückgängig, gesendet oder nicht, auch morgen noch.</translation>
</message>
<message numerus="yes">
<source>Ctrl+Z undoes it. Once sent, undo adds these {n} again with new ids.</source>
<translation>
<numerusform>Strg+Z macht es rückgängig. Nach dem Senden legt Rückgängig dies mit einer neuen ID wieder an.</numerusform>
<numerusform>Strg+Z macht es rückgängig. Nach dem Senden legt Rückgängig diese {n} mit neuen IDs wieder an.</numerusform>
</translation>
</message>
<message>
<source>Dark</source>
<translation>Dunkel</translation>
</message>
<message>
<source>Data chec&amp;ks</source>
<translation>&amp;Datenprüfungen</translation>
</message>
<message>
<source>Data folder</source>
<translation>Datenordner</translation>
</message>
<message>
<source>Data kept on this computer needs no request.</source>
<translation>Daten, die auf diesem Computer liegen, brauchen keine Anfrage.</translation>
</message>
<message>
<source>Dates</source>
<translation>Datum</translation>
</message>
<message>
<source>Day</source>
<translation>Tag</translation>
</message>
<message>
<source>Day.Month.Year</source>
<translation>Tag.Monat.Jahr</translation>
</message>
<message>
<source>Days</source>
<translation>Tage</translation>
</message>
<message>
<source>Decide</source>
<translation>Entscheiden</translation>
</message>
<message>
<source>Del</source>
<translation>Entf</translation>
</message>
<message>
<source>Delete</source>
<translation>Löschen</translation>
</message>
<message>
<source>Delete</source>
<comment>a change</comment>
<translation>Löschen</translation>
</message>
<message>
<source>Delete a category</source>
<translation>Eine Kategorie löschen</translation>
</message>
<message>
<source>Delete a pet</source>
<translation>Ein Tier löschen</translation>
</message>
<message>
<source>Delete order {id}?</source>
<translation>Bestellung {id} löschen?</translation>
</message>
<message>
<source>Delete puts this away until there are more.</source>
<translation>Entf blendet dies aus, bis es mehr sind.</translation>
</message>
<message>
<source>Delete them again, or ask the service’s provider why it keeps them.</source>
<translation>Löschen Sie sie noch einmal, oder fragen Sie den Betreiber des Dienstes, warum er sie behält.</translation>
</message>
<message>
<source>Delete this size</source>
<translation>Diese Größe löschen</translation>
</message>
<message numerus="yes">
<source>Delete {n}</source>
<translation>
<numerusform>{n} löschen</numerusform>
<numerusform>{n} löschen</numerusform>
</translation>
</message>
<message>
<source>Delete {things}</source>
<translation>{things} löschen</translation>
</message>
<message>
<source>Delete {things}?</source>
<translation>{things} löschen?</translation>
</message>
<message>
<source>Delete {view}</source>
<translation>{view} löschen</translation>
</message>
<message>
<source>Deleting categories</source>
<translation>Löschen von Kategorien</translation>
</message>
<message>
<source>Deleting pets</source>
<translation>Löschen von Tieren</translation>
</message>
<message numerus="yes">
<source>Delivery: {n} lines</source>
<translation>
<numerusform>Wareneingang: {n} Position</numerusform>
<numerusform>Wareneingang: {n} Positionen</numerusform>
</translation>
</message>
<message>
<source>Deprecated: was to be removed on {day}</source>
<translation>Veraltet: sollte am {day} entfernt werden</translation>
</message>
<message>
<source>Deprecated: will be removed on {day}, {left}</source>
<translation>Veraltet: wird am {day} entfernt, {left}</translation>
</message>
<message>
<source>Deprecated: will be removed some day</source>
<translation>Veraltet: wird irgendwann entfernt</translation>
</message>
<message>
<source>Description</source>
<translation>Beschreibung</translation>
</message>
<message>
<source>Details</source>
<translation>Details</translation>
</message>
<message>
<source>Diagnostics are on the clipboard.</source>
<translation>Diagnosedaten sind in der Zwischenablage.</translation>
</message>
<message>
<source>Difference</source>
<translation>Differenz</translation>
</message>
<message>
<source>Disc&amp;ard changes of this view</source>
<translation>Änderungen dieser Ansicht &amp;verwerfen</translation>
</message>
<message>
<source>Discard</source>
<translation>Verwerfen</translation>
</message>
<message>
<source>Discard changes of {view}</source>
<translation>Änderungen von {view} verwerfen</translation>
</message>
<message>
<source>Discard mine</source>
<translation>Eigenen verwerfen</translation>
</message>
<message>
<source>Discard {changes}?</source>
<translation>{changes} verwerfen?</translation>
</message>
<message>
<source>Discarded</source>
<translation>Verworfen</translation>
</message>
<message>
<source>Discarded {time}, never sent.</source>
<translation>Verworfen {time}, nie gesendet.</translation>
</message>
<message>
<source>Discarded {time}.</source>
<translation>Verworfen {time}.</translation>
</message>
<message>
<source>Discarded {time}; the service had refused it.</source>
<translation>Verworfen {time}; der Dienst hatte es abgelehnt.</translation>
</message>
<message numerus="yes">
<source>Do not add them</source>
<translation>
<numerusform>Nicht anlegen</numerusform>
<numerusform>Nicht anlegen</numerusform>
</translation>
</message>
<message>
<source>Do not ask</source>
<translation>Nicht nachsehen</translation>
</message>
<message>
<source>Do not continue. Ask the service’s provider.</source>
<translation>Fahren Sie nicht fort. Fragen Sie den Betreiber des Dienstes.</translation>
</message>
<message>
<source>Document</source>
<translation>Dokument</translation>
</message>
<message>
<source>Don’t say this again</source>
<translation>Nicht mehr anzeigen</translation>
</message>
<message>
<source>Due today</source>
<translation>Heute fällig</translation>
</message>
<message>
<source>E&amp;xclude this</source>
<translation>Diesen Wert ausschl&amp;ießen</translation>
</message>
<message>
<source>EUC-KR, Korean</source>
<translation>EUC-KR, Koreanisch</translation>
</message>
<message>
<source>Each code that was scanned is a pet’s.</source>
<translation>Jeder gescannte Code gehört zu einem Tier.</translation>
</message>
<message>
<source>Each scan is a line here, saved at once. Book them when all is scanned.</source>
<translation>Jeder Scan ist hier eine Position und sofort gespeichert. Buchen Sie, wenn alles gescannt ist.</translation>
</message>
<message>
<source>Earlier</source>
<translation>Früher</translation>
</message>
<message>
<source>Earlier saved changes are safe. The last change may be saved after all.</source>
<translation>Früher gespeicherte Änderungen sind sicher. Die letzte Änderung ist vielleicht doch gespeichert.</translation>
</message>
<message>
<source>Earlier saved changes are safe; the last change is not.</source>
<translation>Früher gespeicherte Änderungen sind sicher; die letzte Änderung ist es nicht.</translation>
</message>
<message>
<source>Ed&amp;it cell</source>
<translation>&amp;Zelle bearbeiten</translation>
</message>
<message>
<source>Edit</source>
<translation>Bearbeiten</translation>
</message>
<message>
<source>Edit &amp;stock</source>
<translation>Bestand bearbei&amp;ten</translation>
</message>
<message>
<source>Edit of many rows</source>
<translation>Bearbeiten vieler Zeilen</translation>
</message>
<message>
<source>Edit {name}</source>
<translation>{name} bearbeiten</translation>
</message>
<message>
<source>Editing these costs {requests}</source>
<translation>Diese zu bearbeiten kostet {requests}</translation>
</message>
<message>
<source>Empty for none. 0 marks only sold-out stock.</source>
<translation>Leer: keines. 0 markiert nur ausverkauften Bestand.</translation>
</message>
<message>
<source>Empty for the category’s. 0 marks only sold-out stock.</source>
<translation>Leer: wie bei der Kategorie. 0 markiert nur ausverkauften Bestand.</translation>
</message>
<message>
<source>Empty for the category’s: {n}. 0 marks only sold-out stock.</source>
<translation>Leer: wie bei der Kategorie, {n}. 0 markiert nur ausverkauften Bestand.</translation>
</message>
<message>
<source>Empty for the category’s: {n}. The column To order counts up to it.</source>
<translation>Leer: wie bei der Kategorie, {n}. Die Spalte „Zu bestellen“ zählt bis dahin.</translation>
</message>
<message>
<source>Empty keeps each value. 0 marks only sold-out stock.</source>
<translation>Leer behält jeden Wert. 0 markiert nur ausverkauften Bestand.</translation>
</message>
<message>
<source>Empty keeps each value. The column To order counts up to it.</source>
<translation>Leer behält jeden Wert. Die Spalte „Zu bestellen“ zählt bis dahin.</translation>
</message>
<message>
<source>Empty to order up to the minimum. The column To order counts up to it.</source>
<translation>Leer: bis zum Minimum auffüllen. Die Spalte „Zu bestellen“ zählt bis dahin.</translation>
</message>
<message>
<source>Encoding</source>
<translation>Codierung</translation>
</message>
<message>
<source>End</source>
<translation>Ende</translation>
</message>
<message>
<source>End</source>
<comment>the rehearsal</comment>
<translation>Beenden</translation>
</message>
<message>
<source>End</source>
<comment>what plays by itself</comment>
<translation>Beenden</translation>
</message>
<message>
<source>End the rehearsal?</source>
<translation>Probelauf beenden?</translation>
</message>
<message>
<source>End: {day}</source>
<translation>Ende: {day}</translation>
</message>
<message>
<source>Endless roll, {width} mm wide</source>
<translation>Endlosrolle, {width} mm breit</translation>
</message>
<message>
<source>Enough for today at this pace</source>
<translation>Reichen bei diesem Tempo für heute</translation>
</message>
<message>
<source>Enough for today at this pace.</source>
<translation>Reicht bei diesem Tempo für heute.</translation>
</message>
<message>
<source>Enter</source>
<translation>Enter</translation>
</message>
<message>
<source>Enter a date.</source>
<translation>Geben Sie ein Datum ein.</translation>
</message>
<message>
<source>Enter a day, such as {example}.</source>
<translation>Geben Sie einen Tag ein, zum Beispiel {example}.</translation>
</message>
<message>
<source>Enter a day: fri, +3, tomorrow, {example}</source>
<translation>Geben Sie einen Tag ein: Fr, +3, morgen, {example}</translation>
</message>
<message>
<source>Enter a key.</source>
<translation>Geben Sie einen Schlüssel ein.</translation>
</message>
<message>
<source>Enter a name.</source>
<translation>Geben Sie einen Namen ein.</translation>
</message>
<message>
<source>Enter a number from 0 to {most}</source>
<translation>Geben Sie eine Zahl von 0 bis {most} ein</translation>
</message>
<message>
<source>Enter a number.</source>
<translation>Geben Sie eine Zahl ein.</translation>
</message>
<message>
<source>Enter a valid date.</source>
<translation>Geben Sie ein gültiges Datum ein.</translation>
</message>
<message>
<source>Enter a whole number</source>
<translation>Geben Sie eine ganze Zahl ein</translation>
</message>
<message>
<source>Enter a whole number as the id.</source>
<translation>Geben Sie als ID eine ganze Zahl ein.</translation>
</message>
<message>
<source>Enter a whole number from 1 to {most}.</source>
<translation>Geben Sie eine ganze Zahl von 1 bis {most} ein.</translation>
</message>
<message>
<source>Enter a whole number, such as 5.</source>
<translation>Geben Sie eine ganze Zahl ein, zum Beispiel 5.</translation>
</message>
<message>
<source>Enter a whole number.</source>
<translation>Geben Sie eine ganze Zahl ein.</translation>
</message>
<message>
<source>Enter a whole number: no fraction.</source>
<translation>Geben Sie eine ganze Zahl ein, ohne Nachkommastellen.</translation>
</message>
<message>
<source>Enter an address.</source>
<translation>Geben Sie eine Adresse ein.</translation>
</message>
<message>
<source>Enter an id.</source>
<translation>Geben Sie eine ID ein.</translation>
</message>
<message>
<source>Enter another key.</source>
<translation>Geben Sie einen anderen Schlüssel ein.</translation>
</message>
<message>
<source>Enter another key: this one is wrong, or was revoked. Until then nothing is sent.</source>
<translation>Geben Sie einen anderen Schlüssel ein: Dieser ist falsch oder wurde widerrufen. Bis dahin wird nichts gesendet.</translation>
</message>
<message>
<source>Enter at least 1, or leave it empty.</source>
<translation>Geben Sie mindestens 1 ein oder lassen Sie das Feld leer.</translation>
</message>
<message>
<source>Enter at least 1.</source>
<translation>Geben Sie mindestens 1 ein.</translation>
</message>
<message>
<source>Enter at least the minimum.</source>
<translation>Geben Sie mindestens das Minimum ein.</translation>
</message>
<message>
<source>Enter chooses, Esc leaves</source>
<translation>Enter wählt, Esc schließt</translation>
</message>
<message>
<source>Enter it in the window (File &gt; Change key), or give it by this name with `petstore-desktop connect --further-key`.</source>
<translation>Geben Sie ihn im Fenster ein (Datei &gt; Schlüssel ändern) oder unter diesem Namen mit `petstore-desktop connect --further-key`.</translation>
</message>
<message>
<source>Enter it in the window (File &gt; Change key), or give it with `petstore-desktop connect --key-stdin`.</source>
<translation>Geben Sie ihn im Fenster ein (Datei &gt; Schlüssel ändern) oder mit `petstore-desktop connect --key-stdin`.</translation>
</message>
<message>
<source>Enter shows the rows of this batch, or hides them.</source>
<translation>Enter zeigt die Zeilen dieses Stapels oder blendet sie aus.</translation>
</message>
<message>
<source>Enter the key.</source>
<translation>Geben Sie den Schlüssel ein.</translation>
</message>
<message>
<source>Enter the name of a file.</source>
<translation>Geben Sie den Namen einer Datei ein.</translation>
</message>
<message>
<source>Enter the value, or give the address with it, such as {example}.</source>
<translation>Geben Sie den Wert ein oder geben Sie die Adresse mit ihm an, zum Beispiel {example}.</translation>
</message>
<message>
<source>Enter them.</source>
<translation>Geben Sie sie ein.</translation>
</message>
<message>
<source>Entries that the service keeps for its pets are shown here.</source>
<translation>Einträge, die der Dienst für seine Tiere führt, werden hier angezeigt.</translation>
</message>
<message>
<source>Every change is listed here once it is saved: when, which record, and how it ended.</source>
<translation>Jede Änderung steht hier, sobald sie gespeichert ist: wann, welcher Datensatz und wie sie ausging.</translation>
</message>
<message>
<source>Every change is sent and confirmed.</source>
<translation>Jede Änderung ist gesendet und bestätigt.</translation>
</message>
<message>
<source>Every name fits</source>
<translation>Jeder Name passt</translation>
</message>
<message>
<source>Every order has a pet, a quantity and a date</source>
<translation>Jede Bestellung hat ein Tier, eine Menge und ein Datum</translation>
</message>
<message>
<source>Every order is of a pet that exists</source>
<translation>Zu jeder Bestellung ist das Tier vorhanden</translation>
</message>
<message>
<source>Every pet has a category</source>
<translation>Jedes Tier hat eine Kategorie</translation>
</message>
<message>
<source>Every pet needs a category, but there is none, and this service cannot add one.</source>
<translation>Jedes Tier braucht eine Kategorie, aber es gibt keine, und dieser Dienst kann keine anlegen.</translation>
</message>
<message>
<source>Every request to the service is listed here: when it was sent, for whom, and the answer.</source>
<translation>Jede Anfrage an den Dienst steht hier: wann sie gesendet wurde, für wen, und die Antwort.</translation>
</message>
<message>
<source>Everything else goes on.</source>
<translation>Alles andere geht weiter.</translation>
</message>
<message>
<source>Everything else works.</source>
<translation>Alles andere funktioniert.</translation>
</message>
<message>
<source>Everything here is sent</source>
<translation>Hier ist alles gesendet</translation>
</message>
<message>
<source>Everything saved on this computer is safe.</source>
<translation>Alles, was auf diesem Computer gespeichert ist, ist sicher.</translation>
</message>
<message>
<source>Everything works</source>
<translation>Alles funktioniert</translation>
</message>
<message>
<source>Example</source>
<translation>Beispiel</translation>
</message>
<message>
<source>Excel workbook (.xlsx)</source>
<translation>Excel-Arbeitsmappe (.xlsx)</translation>
</message>
<message>
<source>Expected</source>
<translation>Erwartet</translation>
</message>
<message>
<source>Export</source>
<translation>Exportieren</translation>
</message>
<message>
<source>Export bar codes</source>
<translation>Barcodes exportieren</translation>
</message>
<message>
<source>Export changes</source>
<translation>Änderungen exportieren</translation>
</message>
<message>
<source>Export views</source>
<translation>Ansichten exportieren</translation>
</message>
<message>
<source>Export {view}</source>
<translation>{view} exportieren</translation>
</message>
<message>
<source>Export…</source>
<translation>Exportieren…</translation>
</message>
<message>
<source>Fields</source>
<translation>Felder</translation>
</message>
<message>
<source>File</source>
<translation>Datei</translation>
</message>
<message>
<source>Fill</source>
<translation>Ausfüllen</translation>
</message>
<message>
<source>Fill dow&amp;n</source>
<translation>Nac&amp;h unten ausfüllen</translation>
</message>
<message>
<source>Fill in the empty fields above.</source>
<translation>Füllen Sie die leeren Felder oben aus.</translation>
</message>
<message>
<source>Fill the bloc&amp;k</source>
<translation>&amp;Block ausfüllen</translation>
</message>
<message>
<source>Filter</source>
<translation>Filter</translation>
</message>
<message>
<source>Filter &amp;by this</source>
<translation>Nach diese&amp;m Wert filtern</translation>
</message>
<message>
<source>Filter over all columns</source>
<translation>Filter über alle Spalten</translation>
</message>
<message>
<source>Filter this colu&amp;mn</source>
<translation>&amp;Diese Spalte filtern</translation>
</message>
<message>
<source>Filter {column}</source>
<translation>{column} filtern</translation>
</message>
<message>
<source>Filter: name or id</source>
<translation>Filter: Name oder ID</translation>
</message>
<message>
<source>Filter: name, id, field, here or elsewhere</source>
<translation>Filter: Name, ID, Feld, hier oder anderswo</translation>
</message>
<message>
<source>Finish: nothing to send</source>
<translation>Abschließen: nichts zu senden</translation>
</message>
<message>
<source>First cells</source>
<translation>Erste Zellen</translation>
</message>
<message>
<source>First seen</source>
<translation>Zuerst gesehen</translation>
</message>
<message>
<source>First start of a day</source>
<translation>Erster Start am Tag</translation>
</message>
<message>
<source>Fit co&amp;lumns</source>
<translation>Spalten an&amp;passen</translation>
</message>
<message>
<source>For</source>
<translation>Für</translation>
</message>
<message>
<source>For a spreadsheet (*.csv)</source>
<translation>Für Tabellen (*.csv)</translation>
</message>
<message>
<source>For another address, connect another shop.</source>
<translation>Für eine andere Adresse verbinden Sie ein weiteres Geschäft.</translation>
</message>
<message>
<source>For another value, connect another shop.</source>
<translation>Für einen anderen Wert verbinden Sie ein weiteres Geschäft.</translation>
</message>
<message>
<source>For programs (*.json)</source>
<translation>Für Programme (*.json)</translation>
</message>
<message>
<source>For programs (.json)</source>
<translation>Für Programme (.json)</translation>
</message>
<message>
<source>For some operations the service wants another key: {key}.</source>
<translation>Für einige Operationen verlangt der Dienst einen weiteren Schlüssel: {key}.</translation>
</message>
<message>
<source>Forget</source>
<translation>Entfernen</translation>
</message>
<message>
<source>Forget this shop…</source>
<translation>Dieses Geschäft entfernen…</translation>
</message>
<message>
<source>Forget {shop}?</source>
<translation>{shop} entfernen?</translation>
</message>
<message>
<source>Forward</source>
<translation>Vorwärts</translation>
</message>
<message>
<source>Found</source>
<translation>Gefunden</translation>
</message>
<message>
<source>Free some disk space, then restart the program.</source>
<translation>Geben Sie Speicherplatz frei und starten Sie das Programm dann neu.</translation>
</message>
<message>
<source>Free some disk space, then try again.</source>
<translation>Geben Sie Speicherplatz frei und versuchen Sie es dann erneut.</translation>
</message>
<message>
<source>Free&amp;ze columns up to here</source>
<translation>Spalten &amp;bis hier fixieren</translation>
</message>
<message>
<source>From</source>
<translation>Von</translation>
</message>
<message>
<source>From one day to another</source>
<translation>Von einem Tag bis zu einem anderen</translation>
</message>
<message>
<source>From this network there is no way to {host}.</source>
<translation>{host} ist von diesem Netzwerk aus nicht erreichbar.</translation>
</message>
<message>
<source>From what this computer has read; what moved and moved back between two readings is not in it.</source>
<translation>Beruht auf dem, was dieser Computer gelesen hat; was sich zwischen zwei Lesevorgängen änderte und wieder zurückänderte, fehlt.</translation>
</message>
<message>
<source>From your rehearsal; nothing of it has reached the shop yet.</source>
<translation>Aus Ihrem Probelauf; nichts davon hat das Geschäft bisher erreicht.</translation>
</message>
<message>
<source>From {time}</source>
<translation>Ab {time}</translation>
</message>
<message>
<source>Full again at {time}.</source>
<translation>Wieder voll: {time}.</translation>
</message>
<message>
<source>GB 18030, Chinese</source>
<translation>GB 18030, Chinesisch</translation>
</message>
<message>
<source>Gap between columns</source>
<translation>Abstand der Spalten</translation>
</message>
<message>
<source>Gap between rows</source>
<translation>Abstand der Zeilen</translation>
</message>
<message>
<source>General</source>
<translation>Allgemein</translation>
</message>
<message>
<source>Give the base address of its API, such as https://shop.example/v1.</source>
<translation>Geben Sie die Basisadresse der API an, zum Beispiel https://shop.example/v1.</translation>
</message>
<message>
<source>Go to its c&amp;ategory</source>
<translation>Zur Kateg&amp;orie</translation>
</message>
<message>
<source>Go to its s&amp;tock</source>
<translation>Zum Bes&amp;tand</translation>
</message>
<message>
<source>Go to the record</source>
<translation>Zum Datensatz</translation>
</message>
<message>
<source>Gone</source>
<comment>a record that is no longer there</comment>
<translation>Entfallen</translation>
</message>
<message>
<source>Gone</source>
<comment>records that are no longer there</comment>
<translation>Entfallen</translation>
</message>
<message>
<source>Green</source>
<translation>Grün</translation>
</message>
<message>
<source>H&amp;ide this column</source>
<translation>Diese Spalte a&amp;usblenden</translation>
</message>
<message>
<source>HTTP status</source>
<translation>HTTP-Status</translation>
</message>
<message>
<source>Has no stock entry</source>
<translation>Hat keinen Bestandseintrag</translation>
</message>
<message>
<source>Header row</source>
<translation>Kopfzeile</translation>
</message>
<message>
<source>High contrast</source>
<translation>Hoher Kontrast</translation>
</message>
<message>
<source>History</source>
<translation>Verlauf</translation>
</message>
<message>
<source>Holds the id. A scan of it finds the pet, also offline.</source>
<translation>Enthält die ID. Ein Scan findet das Tier, auch offline.</translation>
</message>
<message>
<source>How long they last is not known yet</source>
<translation>Wie lange sie reichen, ist noch nicht bekannt</translation>
</message>
<message>
<source>How many operations can be used with this choice is not known before the service is asked again.</source>
<translation>Wie viele Operationen mit dieser Auswahl verwendet werden können, ist erst bekannt, wenn der Dienst wieder gefragt wurde.</translation>
</message>
<message>
<source>I&amp;mport…</source>
<translation>I&amp;mportieren…</translation>
</message>
<message>
<source>Id</source>
<translation>ID</translation>
</message>
<message>
<source>Id of the pet</source>
<translation>ID des Tiers</translation>
</message>
<message>
<source>If it happens again, ask the service’s provider, and look for other programs that use this key.</source>
<translation>Wenn es wieder vorkommt, fragen Sie den Betreiber des Dienstes und suchen Sie nach anderen Programmen, die diesen Schlüssel verwenden.</translation>
</message>
<message>
<source>If it has them elsewhere: choose them in File &gt; Operations, or give its document with --document.</source>
<translation>Wenn er sie an anderer Stelle hat: Wählen Sie sie unter Datei &gt; Operationen oder geben Sie sein Dokument mit --document an.</translation>
</message>
<message>
<source>If it is a pet shop, choose its operations in File &gt; Operations.</source>
<translation>Wenn es eine Tierhandlung ist, wählen Sie ihre Operationen unter Datei &gt; Operationen.</translation>
</message>
<message>
<source>If it is right, you don’t need to do anything.</source>
<translation>Wenn sie stimmt, brauchen Sie nichts zu tun.</translation>
</message>
<message>
<source>If it is wrong, set it: late orders and all times shown depend on it.</source>
<translation>Wenn sie falsch geht, stellen Sie sie: Überfällige Bestellungen und alle angezeigten Zeiten hängen davon ab.</translation>
</message>
<message>
<source>If that address is right, enter it.</source>
<translation>Wenn diese Adresse die richtige ist, geben Sie sie ein.</translation>
</message>
<message>
<source>If that address is right, use it instead.</source>
<translation>Wenn diese Adresse die richtige ist, verwenden Sie sie stattdessen.</translation>
</message>
<message>
<source>If that is right, choose it in File &gt; Operations.</source>
<translation>Wenn das richtig ist, wählen Sie es unter Datei &gt; Operationen.</translation>
</message>
<message>
<source>If the service has moved, change the connection’s address; a sign-in page means that it is the wrong one.</source>
<translation>Wenn der Dienst umgezogen ist, ändern Sie die Adresse der Verbindung; eine Anmeldeseite bedeutet, dass es die falsche ist.</translation>
</message>
<message>
<source>If the service publishes no OpenAPI document.</source>
<translation>Falls der Dienst kein OpenAPI-Dokument veröffentlicht.</translation>
</message>
<message>
<source>If this happens often, the shop needs a larger plan.</source>
<translation>Wenn das öfter vorkommt, braucht das Geschäft einen größeren Tarif.</translation>
</message>
<message>
<source>If this is the right server, set its authority’s certificate as the connection’s CA file.</source>
<translation>Wenn dies der richtige Server ist, geben Sie das Zertifikat seiner Zertifizierungsstelle als CA-Datei der Verbindung an.</translation>
</message>
<message>
<source>If you know your plan, choose it in File, Connection settings.</source>
<translation>Wenn Sie Ihren Tarif kennen, wählen Sie ihn unter Datei &gt; Verbindungseinstellungen.</translation>
</message>
<message>
<source>If you send now, the key may be banned. Then nothing works with it for hours.</source>
<translation>Wenn Sie jetzt senden, kann der Schlüssel gesperrt werden. Dann geht stundenlang nichts mehr damit.</translation>
</message>
<message>
<source>If you trust that address, choose it as the connection’s document.</source>
<translation>Wenn Sie dieser Adresse vertrauen, wählen Sie sie als Dokument der Verbindung.</translation>
</message>
<message>
<source>If your scanner types something before or after each code, enter it here. Leave Enter and Tab out.</source>
<translation>Wenn Ihr Scanner vor oder nach jedem Code etwas tippt, geben Sie es hier ein. Lassen Sie Enter und Tab weg.</translation>
</message>
<message>
<source>Import</source>
<translation>Importieren</translation>
</message>
<message>
<source>Import as</source>
<translation>Importieren als</translation>
</message>
<message>
<source>Import bar codes</source>
<translation>Barcodes importieren</translation>
</message>
<message>
<source>Import column {name} as</source>
<translation>Spalte {name} importieren als</translation>
</message>
<message>
<source>Import of {file}</source>
<translation>Import von {file}</translation>
</message>
<message>
<source>Import of {file} by a script</source>
<translation>Import von {file} durch ein Skript</translation>
</message>
<message>
<source>Import views</source>
<translation>Ansichten importieren</translation>
</message>
<message>
<source>Import {file}</source>
<translation>{file} importieren</translation>
</message>
<message>
<source>Imported before</source>
<translation>Schon importiert</translation>
</message>
<message>
<source>Import…</source>
<translation>Importieren…</translation>
</message>
<message>
<source>In conflict</source>
<translation>In Konflikt</translation>
</message>
<message>
<source>In millimetres, as the box of the labels says. A roll has one label across and one down.</source>
<translation>In Millimetern, wie auf der Packung der Etiketten angegeben. Eine Rolle hat ein Etikett nebeneinander und eines untereinander.</translation>
</message>
<message numerus="yes">
<source>In row {n}</source>
<translation>
<numerusform>In Zeile {n}</numerusform>
<numerusform>In Zeile {n}</numerusform>
</translation>
</message>
<message>
<source>In stock</source>
<translation>Bestand</translation>
</message>
<message numerus="yes">
<source>In stock {stock}, but {n} are on order.</source>
<translation>
<numerusform>Bestand {stock}, aber {n} ist bestellt.</numerusform>
<numerusform>Bestand {stock}, aber {n} sind bestellt.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>In stock {stock}, {n} on order.</source>
<translation>
<numerusform>Bestand {stock}, {n} bestellt.</numerusform>
<numerusform>Bestand {stock}, {n} bestellt.</numerusform>
</translation>
</message>
<message>
<source>In stock {stock}.</source>
<translation>Bestand {stock}.</translation>
</message>
<message>
<source>In stock, each</source>
<translation>Bestand, je Tier</translation>
</message>
<message>
<source>In the order of the screen. Ids keep all their digits, and no text becomes a formula.</source>
<translation>In der Reihenfolge wie auf dem Bildschirm. IDs behalten alle ihre Ziffern, und kein Text wird zu einer Formel.</translation>
</message>
<message>
<source>In the rehearsal: {what}.</source>
<translation>Im Probelauf: {what}.</translation>
</message>
<message>
<source>Include it</source>
<translation>Aufnehmen</translation>
</message>
<message>
<source>Incomplete</source>
<translation>Unvollständig</translation>
</message>
<message>
<source>Incomplete orders</source>
<translation>Unvollständige Bestellungen</translation>
</message>
<message>
<source>Install the later version again.</source>
<translation>Installieren Sie die neuere Version wieder.</translation>
</message>
<message>
<source>Invented pets and orders, with real request limits. Runs on this computer; no account needed.</source>
<translation>Erfundene Tiere und Bestellungen, mit echten Anfragelimits. Läuft auf diesem Computer; kein Konto nötig.</translation>
</message>
<message>
<source>Inventory</source>
<translation>Bestand</translation>
</message>
<message>
<source>It answered {said}.</source>
<translation>Er hat geantwortet: {said}.</translation>
</message>
<message>
<source>It cannot work just now, and answered {said}.</source>
<translation>Er ist gerade nicht einsatzbereit und hat geantwortet: {said}.</translation>
</message>
<message>
<source>It continues where it stopped.</source>
<translation>Es geht dort weiter, wo es angehalten wurde.</translation>
</message>
<message>
<source>It could also be {endpoint}.</source>
<translation>Es könnte auch {endpoint} sein.</translation>
</message>
<message>
<source>It counts {counts}.</source>
<translation>Er zählt {counts}.</translation>
</message>
<message>
<source>It did not say clearly how long, so the program waits longer each time.</source>
<translation>Er hat nicht klar gesagt, wie lange, deshalb wartet das Programm jedes Mal länger.</translation>
</message>
<message>
<source>It does not say its limits; the program counts by the plan that you gave.</source>
<translation>Der Dienst meldet seine Limits nicht; das Programm zählt nach dem Tarif, den Sie angegeben haben.</translation>
</message>
<message>
<source>It does so when a program keeps sending after it was asked to wait.</source>
<translation>Das tut er, wenn ein Programm weiter sendet, nachdem es gebeten wurde zu warten.</translation>
</message>
<message>
<source>It gets a data folder of its own; this shop stays.</source>
<translation>Es bekommt einen eigenen Datenordner; dieses Geschäft bleibt.</translation>
</message>
<message>
<source>It goes into this computer’s keyring if it has one, never into a file.</source>
<translation>Er kommt in den Schlüsselbund dieses Computers, wenn es einen gibt, nie in eine Datei.</translation>
</message>
<message>
<source>It has no id, so it is new. {reason}</source>
<translation>Ohne ID ist dies ein neuer Datensatz. {reason}</translation>
</message>
<message>
<source>It has no list to read, so none was tried.</source>
<translation>Er hat keine Liste zum Lesen, deshalb wurde keine geprüft.</translation>
</message>
<message>
<source>It is back: what you did goes out by itself.</source>
<translation>Es ist wieder da: Was Sie getan haben, geht von selbst hinaus.</translation>
</message>
<message>
<source>It is checked when sending resumes</source>
<translation>Es wird geprüft, wenn das Senden fortgesetzt wird</translation>
</message>
<message>
<source>It is full again at {time}.</source>
<translation>Wieder voll: {time}.</translation>
</message>
<message>
<source>It is kept in the history and in the protocol.</source>
<translation>Sie wird im Verlauf und im Protokoll aufbewahrt.</translation>
</message>
<message>
<source>It is not certain which record a change of {things} would reach by this id: {name}. So they are only read.</source>
<translation>Es ist nicht sicher, welchen Datensatz eine Änderung von {things} über diese ID träfe: {name}. Daher werden sie nur gelesen.</translation>
</message>
<message>
<source>It is not certain which record {shop} would change by this id. A profile says what its ids mean (File &gt; Operations &gt; Save as profile).</source>
<translation>Es ist nicht sicher, welchen Datensatz {shop} über diese ID ändern würde. Ein Profil sagt, was die IDs bedeuten (Datei &gt; Operationen &gt; Als Profil speichern).</translation>
</message>
<message numerus="yes">
<source>It is not known whether {changes} arrived: check at the service before you make them again.</source>
<translation>
<numerusform>Es ist nicht bekannt, ob {changes} angekommen ist: Prüfen Sie das beim Dienst, bevor Sie sie noch einmal vornehmen.</numerusform>
<numerusform>Es ist nicht bekannt, ob {changes} angekommen sind: Prüfen Sie das beim Dienst, bevor Sie sie noch einmal vornehmen.</numerusform>
</translation>
</message>
<message>
<source>It is read from the service now, and stays in the list here.</source>
<translation>Der Datensatz wird jetzt vom Dienst gelesen und bleibt hier in der Liste.</translation>
</message>
<message>
<source>It is sent in the address, as {name}.</source>
<translation>Er wird in der Adresse gesendet, als {name}.</translation>
</message>
<message>
<source>It is sent in the header {name}.</source>
<translation>Er wird im Header {name} gesendet.</translation>
</message>
<message>
<source>It is unchanged, with everything saved. Until it is upgraded nothing can be changed or sent.</source>
<translation>Die Datei ist unverändert, mit allem, was gespeichert ist. Bis zur Umstellung kann nichts geändert oder gesendet werden.</translation>
</message>
<message>
<source>It is {status} already.</source>
<translation>Es ist schon {status}.</translation>
</message>
<message>
<source>It may be a colleague’s. Keep mine deletes it.</source>
<translation>Der Datensatz ist vielleicht von jemand anderem aus Ihrem Team. „Eigenen behalten“ löscht ihn.</translation>
</message>
<message>
<source>It may be done or not; nothing is sent twice by itself.</source>
<translation>Es kann erledigt sein oder nicht; von selbst wird nichts zweimal gesendet.</translation>
</message>
<message>
<source>It may be overloaded. Try again later, or ask its provider.</source>
<translation>Er ist vielleicht überlastet. Versuchen Sie es später erneut oder fragen Sie den Betreiber.</translation>
</message>
<message>
<source>It may have arrived; the service does not show whether it did. The program does not send it again by itself.</source>
<translation>Die Änderung kann angekommen sein; der Dienst zeigt nicht, ob sie es ist. Das Programm sendet sie nicht von selbst noch einmal.</translation>
</message>
<message>
<source>It offers all {of} operations.</source>
<translation>Er bietet alle {of} Operationen an.</translation>
</message>
<message>
<source>It offers {offered} of the {of} operations that the program uses.</source>
<translation>Er bietet {offered} der {of} Operationen an, die das Programm verwendet.</translation>
</message>
<message>
<source>It refused again, so the program waits longer than it asked.</source>
<translation>Er hat wieder abgelehnt, deshalb wartet das Programm länger als verlangt.</translation>
</message>
<message>
<source>It says how many requests are left: {remaining} of {limit}.</source>
<translation>Der Dienst meldet die verbleibenden Anfragen: {remaining} von {limit}.</translation>
</message>
<message>
<source>It says how many requests are left: {remaining}, but not of how many.</source>
<translation>Der Dienst meldet die verbleibenden Anfragen: {remaining}, aber nicht, von wie vielen.</translation>
</message>
<message>
<source>It takes {price}.</source>
<translation>Dafür nötig: {price}.</translation>
</message>
<message numerus="yes">
<source>It took {n} requests, all of them reads.</source>
<translation>
<numerusform>Dafür war eine Anfrage nötig, nur zum Lesen.</numerusform>
<numerusform>Dafür waren {n} Anfragen nötig, alle nur zum Lesen.</numerusform>
</translation>
</message>
<message>
<source>It was asked when the pets were read, {age}.</source>
<translation>Abgefragt beim Lesen der Tiere, {age}.</translation>
</message>
<message>
<source>It was done</source>
<translation>Ist erledigt</translation>
</message>
<message>
<source>Its data on this computer is removed. No key was removed, because no keyring was found.</source>
<translation>Die zugehörigen Daten auf diesem Computer sind gelöscht. Ein Schlüssel wurde nicht gelöscht, weil kein Schlüsselbund gefunden wurde.</translation>
</message>
<message>
<source>Its document cannot be loaded. It answers at the standard paths, so the nine standard operations are used.</source>
<translation>Sein Dokument kann nicht geladen werden. Er antwortet unter den Standardpfaden, deshalb werden die neun Standardoperationen verwendet.</translation>
</message>
<message>
<source>Its document has no operation that lists {things}.</source>
<translation>Das Dokument des Dienstes hat keine Operation, die {things} auflistet.</translation>
</message>
<message>
<source>Its key and its data on this computer are removed.</source>
<translation>Der zugehörige Schlüssel und die Daten auf diesem Computer sind gelöscht.</translation>
</message>
<message>
<source>Jobs</source>
<translation>Vorgänge</translation>
</message>
<message>
<source>Keep</source>
<translation>Behalten</translation>
</message>
<message>
<source>Keep editing</source>
<translation>Weiter bearbeiten</translation>
</message>
<message>
<source>Keep mine</source>
<translation>Eigenen behalten</translation>
</message>
<message>
<source>Keep the program’s data in a folder on this computer.</source>
<translation>Bewahren Sie die Daten des Programms in einem Ordner auf diesem Computer auf.</translation>
</message>
<message>
<source>Keep these changes…</source>
<translation>Diese Änderungen behalten…</translation>
</message>
<message>
<source>Keep waiting</source>
<translation>Weiter warten</translation>
</message>
<message>
<source>Keep working. If this happens often, the shop needs a larger plan.</source>
<translation>Arbeiten Sie weiter. Wenn das öfter vorkommt, braucht das Geschäft einen größeren Tarif.</translation>
</message>
<message>
<source>Keep working: it goes on by itself.</source>
<translation>Arbeiten Sie weiter: Der Rest geschieht automatisch.</translation>
</message>
<message>
<source>Keep working: the program keeps trying, then sends your changes.</source>
<translation>Arbeiten Sie weiter: Das Programm versucht es immer wieder und sendet dann Ihre Änderungen.</translation>
</message>
<message>
<source>Keep working; it goes on by itself.</source>
<translation>Arbeiten Sie weiter; der Rest geschieht automatisch.</translation>
</message>
<message>
<source>Kept in this computer’s keyring if it has one, never in a file.</source>
<translation>Wird im Schlüsselbund dieses Computers aufbewahrt, wenn es einen gibt, nie in einer Datei.</translation>
</message>
<message>
<source>Key</source>
<translation>Schlüssel</translation>
</message>
<message>
<source>Key for {shop}</source>
<translation>Schlüssel für {shop}</translation>
</message>
<message>
<source>Key {name}</source>
<translation>Schlüssel {name}</translation>
</message>
<message>
<source>Key {name} (header {parameter})</source>
<translation>Schlüssel {name} (Header {parameter})</translation>
</message>
<message>
<source>Key {name} (in the address, as {parameter})</source>
<translation>Schlüssel {name} (in der Adresse, als {parameter})</translation>
</message>
<message>
<source>Keys and marks</source>
<translation>Tasten und Markierungen</translation>
</message>
<message>
<source>Label of {name}</source>
<translation>Etikett von {name}</translation>
</message>
<message>
<source>Label {page} of {pages}</source>
<translation>Etikett {page} von {pages}</translation>
</message>
<message>
<source>Label {place}</source>
<translation>Etikett {place}</translation>
</message>
<message>
<source>Label, height</source>
<translation>Etikett, Höhe</translation>
</message>
<message>
<source>Label, width</source>
<translation>Etikett, Breite</translation>
</message>
<message>
<source>Labels</source>
<translation>Etiketten</translation>
</message>
<message>
<source>Labels across</source>
<translation>Etiketten nebeneinander</translation>
</message>
<message>
<source>Labels down</source>
<translation>Etiketten untereinander</translation>
</message>
<message>
<source>Labels of each pet</source>
<translation>Etiketten je Tier</translation>
</message>
<message>
<source>Language</source>
<translation>Sprache</translation>
</message>
<message>
<source>Language and preferences</source>
<translation>Sprache und Einstellungen</translation>
</message>
<message>
<source>Last month</source>
<translation>Letzter Monat</translation>
</message>
<message>
<source>Last scan</source>
<translation>Letzter Scan</translation>
</message>
<message>
<source>Last scanned</source>
<translation>Zuletzt gescannt</translation>
</message>
<message>
<source>Last week</source>
<translation>Letzte Woche</translation>
</message>
<message numerus="yes">
<source>Last {n} days</source>
<translation>
<numerusform>Letzter Tag</numerusform>
<numerusform>Letzte {n} Tage</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Last {n} hours</source>
<translation>
<numerusform>Letzte Stunde</numerusform>
<numerusform>Letzte {n} Stunden</numerusform>
</translation>
</message>
<message>
<source>Lasts until they are full again: at this pace ≈ {count} by {time}</source>
<translation>Reichen, bis sie wieder voll sind: bei diesem Tempo ≈ {count} bis {time}</translation>
</message>
<message>
<source>Lasts until {time} at this pace.</source>
<translation>Reicht bei diesem Tempo bis {time}.</translation>
</message>
<message>
<source>Late</source>
<translation>Verzug</translation>
</message>
<message>
<source>Later</source>
<translation>Später</translation>
</message>
<message>
<source>Later</source>
<comment>orders due after this week</comment>
<translation>Später</translation>
</message>
<message>
<source>Latin-1, Western</source>
<translation>Latin-1, Westeuropa</translation>
</message>
<message>
<source>Latin-9, Western</source>
<translation>Latin-9, Westeuropa</translation>
</message>
<message>
<source>Laying out the report…</source>
<translation>Der Bericht wird zusammengestellt…</translation>
</message>
<message numerus="yes">
<source>Leave out their stock</source>
<translation>
<numerusform>Bestand auslassen</numerusform>
<numerusform>Bestand auslassen</numerusform>
</translation>
</message>
<message>
<source>Left out</source>
<translation>Ausgelassen</translation>
</message>
<message>
<source>Left out with the record it belongs to</source>
<translation>Mit dem zugehörigen Datensatz ausgelassen</translation>
</message>
<message>
<source>Less</source>
<translation>Weniger</translation>
</message>
<message>
<source>Licences</source>
<translation>Lizenzen</translation>
</message>
<message>
<source>Light</source>
<translation>Hell</translation>
</message>
<message>
<source>Limit not known</source>
<translation>Limit nicht bekannt</translation>
</message>
<message>
<source>Limits</source>
<translation>Limits</translation>
</message>
<message numerus="yes">
<source>Limits {n} a day</source>
<translation>
<numerusform>Limit {n} pro Tag</numerusform>
<numerusform>Limit {n} pro Tag</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Limits {n} a minute</source>
<translation>
<numerusform>Limit {n} pro Minute</numerusform>
<numerusform>Limit {n} pro Minute</numerusform>
</translation>
</message>
<message>
<source>Lines</source>
<translation>Positionen</translation>
</message>
<message>
<source>List</source>
<translation>Liste</translation>
</message>
<message>
<source>List categories</source>
<translation>Kategorien auflisten</translation>
</message>
<message>
<source>List orders</source>
<translation>Bestellungen auflisten</translation>
</message>
<message>
<source>List pets</source>
<translation>Tiere auflisten</translation>
</message>
<message>
<source>List stock</source>
<translation>Bestand auflisten</translation>
</message>
<message>
<source>Loading…</source>
<translation>Wird geladen…</translation>
</message>
<message>
<source>Loo&amp;k up by id…</source>
<translation>Per &amp;ID abrufen…</translation>
</message>
<message>
<source>Look at it</source>
<translation>Ansehen</translation>
</message>
<message>
<source>Look at them</source>
<translation>Ansehen</translation>
</message>
<message>
<source>Look up</source>
<translation>Abrufen</translation>
</message>
<message>
<source>Look up a category</source>
<translation>Eine Kategorie abrufen</translation>
</message>
<message>
<source>Look up a pet</source>
<translation>Ein Tier abrufen</translation>
</message>
<message>
<source>Look up an order</source>
<translation>Eine Bestellung abrufen</translation>
</message>
<message>
<source>Look up category #{id} at the shop</source>
<translation>Kategorie #{id} im Geschäft abrufen</translation>
</message>
<message>
<source>Look up one category</source>
<translation>Eine Kategorie abrufen</translation>
</message>
<message>
<source>Look up one order</source>
<translation>Eine Bestellung abrufen</translation>
</message>
<message>
<source>Look up one pet</source>
<translation>Ein Tier abrufen</translation>
</message>
<message>
<source>Look up order #{id} at the shop</source>
<translation>Bestellung #{id} im Geschäft abrufen</translation>
</message>
<message>
<source>Look up pet #{id} at the shop</source>
<translation>Tier #{id} im Geschäft abrufen</translation>
</message>
<message>
<source>Look up single records by id; they stay here.</source>
<translation>Rufen Sie einzelne Datensätze per ID ab; sie bleiben hier.</translation>
</message>
<message>
<source>Look up the stock of a pet</source>
<translation>Den Bestand eines Tiers abrufen</translation>
</message>
<message>
<source>Look up the stock of one pet</source>
<translation>Den Bestand eines Tiers abrufen</translation>
</message>
<message>
<source>Look up the stock of pet #{id} at the shop</source>
<translation>Bestand von Tier #{id} im Geschäft abrufen</translation>
</message>
<message>
<source>Looking for unsent changes…</source>
<translation>Suche nach nicht gesendeten Änderungen…</translation>
</message>
<message>
<source>Low</source>
<translation>Knapp</translation>
</message>
<message>
<source>Low stock</source>
<translation>Knapper Bestand</translation>
</message>
<message>
<source>Low stock by category</source>
<translation>Knapper Bestand nach Kategorie</translation>
</message>
<message>
<source>Low stock now</source>
<translation>Knapper Bestand jetzt</translation>
</message>
<message numerus="yes">
<source>Low stock now: {n} pets</source>
<translation>
<numerusform>Knapper Bestand jetzt: {n} Tier</numerusform>
<numerusform>Knapper Bestand jetzt: {n} Tiere</numerusform>
</translation>
</message>
<message>
<source>M&amp;ark open</source>
<translation>Als &amp;offen markieren</translation>
</message>
<message>
<source>Mac, Western</source>
<translation>Mac, Westeuropa</translation>
</message>
<message>
<source>Manual</source>
<translation>Handbuch</translation>
</message>
<message>
<source>Manual of Pet Store Desktop</source>
<translation>Handbuch von Pet Store Desktop</translation>
</message>
<message>
<source>Margin at the left</source>
<translation>Rand links</translation>
</message>
<message>
<source>Margin at the top</source>
<translation>Rand oben</translation>
</message>
<message>
<source>Marks</source>
<translation>Markierungen</translation>
</message>
<message>
<source>Menu</source>
<translation>Menü</translation>
</message>
<message>
<source>Menu (F10)</source>
<translation>Menü (F10)</translation>
</message>
<message>
<source>Method</source>
<translation>Methode</translation>
</message>
<message>
<source>Mine</source>
<translation>Eigener Wert</translation>
</message>
<message>
<source>Mine: {mine}. At the shop: {theirs}.</source>
<translation>Eigener Wert: {mine}. Im Geschäft: {theirs}.</translation>
</message>
<message>
<source>Minimum</source>
<translation>Minimum</translation>
</message>
<message>
<source>Minimum stock of {what}</source>
<translation>Mindestbestand für {what}</translation>
</message>
<message>
<source>Minimum stock of {what}: {n}</source>
<translation>Mindestbestand für {what}: {n}</translation>
</message>
<message>
<source>Minimum stock of {what}: {n}, order up to {most}</source>
<translation>Mindestbestand für {what}: {n}, auffüllen bis {most}</translation>
</message>
<message>
<source>Minimum stock removed: {what}</source>
<translation>Mindestbestand aufgehoben: {what}</translation>
</message>
<message>
<source>Minimum stock set: {what}</source>
<translation>Mindestbestand festgelegt: {what}</translation>
</message>
<message>
<source>Minute</source>
<translation>Minute</translation>
</message>
<message>
<source>Missing: {missing}.</source>
<translation>Es fehlt: {missing}.</translation>
</message>
<message>
<source>Month/Day/Year</source>
<translation>Monat/Tag/Jahr</translation>
</message>
<message>
<source>Monthly report: l&amp;ast month…</source>
<translation>Monatsbericht: le&amp;tzter Monat…</translation>
</message>
<message>
<source>Monthly report: t&amp;his month…</source>
<translation>Monatsbericht: di&amp;eser Monat…</translation>
</message>
<message>
<source>More</source>
<translation>Mehr</translation>
</message>
<message>
<source>More actions</source>
<translation>Weitere Aktionen</translation>
</message>
<message numerus="yes">
<source>More may belong to them, because not all of it was read: {lists}.</source>
<translation>
<numerusform>Es kann mehr dazugehören, weil nicht alles gelesen wurde: {lists}.</numerusform>
<numerusform>Es kann mehr dazugehören, weil nicht alles gelesen wurde: {lists}.</numerusform>
</translation>
</message>
<message>
<source>More of this pet</source>
<translation>Mehr zu diesem Tier</translation>
</message>
<message>
<source>More ordered than in stock</source>
<translation>Mehr bestellt als im Bestand</translation>
</message>
<message>
<source>More, in English</source>
<translation>Weiteres, auf Englisch</translation>
</message>
<message>
<source>More: plan, document, certificates</source>
<translation>Mehr: Tarif, Dokument, Zertifikate</translation>
</message>
<message numerus="yes">
<source>Most often, as in row {row}: {reason}</source>
<translation>
<numerusform>Zeile {row}: {reason}</numerusform>
<numerusform>Am häufigsten, wie in Zeile {row}: {reason}</numerusform>
</translation>
</message>
<message>
<source>Move this view &amp;up</source>
<translation>Diese Ansicht nach &amp;oben</translation>
</message>
<message>
<source>Move this view d&amp;own</source>
<translation>Diese Ansicht nach un&amp;ten</translation>
</message>
<message>
<source>Move {things} to {value}</source>
<translation>{things} nach {value} verschieben</translation>
</message>
<message>
<source>Move {view} down</source>
<translation>{view} nach unten</translation>
</message>
<message>
<source>Move {view} up</source>
<translation>{view} nach oben</translation>
</message>
<message>
<source>Name</source>
<translation>Name</translation>
</message>
<message>
<source>Name in the service</source>
<translation>Name beim Dienst</translation>
</message>
<message>
<source>Name in the service for “{what}”</source>
<translation>Name beim Dienst für „{what}“</translation>
</message>
<message>
<source>Name of the shop</source>
<translation>Name des Geschäfts</translation>
</message>
<message>
<source>Name or id</source>
<translation>Name oder ID</translation>
</message>
<message>
<source>Name or id of the pet</source>
<translation>Name oder ID des Tiers</translation>
</message>
<message>
<source>Names</source>
<translation>Namen</translation>
</message>
<message>
<source>Names, one per line</source>
<translation>Namen, einer pro Zeile</translation>
</message>
<message>
<source>Ne&amp;w order…</source>
<translation>Neue Bestellun&amp;g…</translation>
</message>
<message>
<source>Needs attenti&amp;on</source>
<translation>Zu kl&amp;ären</translation>
</message>
<message>
<source>Needs attention</source>
<translation>Zu klären</translation>
</message>
<message>
<source>New</source>
<comment>a record that is new</comment>
<translation>Neu</translation>
</message>
<message>
<source>New</source>
<comment>rows of a file</comment>
<translation>Neu</translation>
</message>
<message>
<source>New &amp;category…</source>
<translation>Neue &amp;Kategorie…</translation>
</message>
<message>
<source>New &amp;pet…</source>
<translation>Neues &amp;Tier…</translation>
</message>
<message>
<source>New category</source>
<translation>Neue Kategorie</translation>
</message>
<message>
<source>New category {name}</source>
<translation>Neue Kategorie {name}</translation>
</message>
<message>
<source>New changes show here until they are sent.</source>
<translation>Neue Änderungen stehen hier, bis sie gesendet sind.</translation>
</message>
<message>
<source>New count</source>
<translation>Neue Zählung</translation>
</message>
<message>
<source>New order</source>
<translation>Neue Bestellung</translation>
</message>
<message>
<source>New orders</source>
<translation>Neue Bestellungen</translation>
</message>
<message>
<source>New pet</source>
<translation>Neues Tier</translation>
</message>
<message>
<source>New pet {name}</source>
<translation>Neues Tier {name}</translation>
</message>
<message>
<source>New pets</source>
<translation>Neue Tiere</translation>
</message>
<message>
<source>New records get numbers for ids here.</source>
<translation>Neue Datensätze bekommen hier Zahlen als IDs.</translation>
</message>
<message>
<source>New s&amp;tock entry…</source>
<translation>Neuer Best&amp;andseintrag…</translation>
</message>
<message>
<source>New value</source>
<translation>Neuer Wert</translation>
</message>
<message>
<source>Newer versions</source>
<translation>Neuere Versionen</translation>
</message>
<message>
<source>Next</source>
<translation>Weiter</translation>
</message>
<message>
<source>Next month</source>
<translation>Nächster Monat</translation>
</message>
<message>
<source>Next page</source>
<translation>Nächste Seite</translation>
</message>
<message>
<source>Next sheet</source>
<translation>Nächstes Blatt</translation>
</message>
<message>
<source>No answer</source>
<translation>Keine Antwort</translation>
</message>
<message>
<source>No category</source>
<translation>Ohne Kategorie</translation>
</message>
<message>
<source>No category matches {filter}</source>
<translation>Keine Kategorie passt zu {filter}</translation>
</message>
<message>
<source>No change</source>
<translation>Keine Änderung</translation>
</message>
<message>
<source>No change is known between {then} and {now}.</source>
<translation>Zwischen {then} und {now} ist keine Änderung bekannt.</translation>
</message>
<message>
<source>No change is known in these days.</source>
<translation>Aus diesen Tagen ist keine Änderung bekannt.</translation>
</message>
<message>
<source>No change is known since {time}.</source>
<translation>Seit {time} ist keine Änderung bekannt.</translation>
</message>
<message>
<source>No change is refused, in conflict or unconfirmed.</source>
<translation>Keine Änderung ist abgelehnt, in Konflikt oder unbestätigt.</translation>
</message>
<message>
<source>No change of this record is known, neither yours nor anybody else’s.</source>
<translation>Es ist keine Änderung dieses Datensatzes bekannt, weder von Ihnen noch von jemand anderem.</translation>
</message>
<message>
<source>No changes yet</source>
<translation>Noch keine Änderungen</translation>
</message>
<message>
<source>No code is remembered yet.</source>
<translation>Noch ist kein Code gemerkt.</translation>
</message>
<message>
<source>No colour</source>
<translation>Keine Farbe</translation>
</message>
<message numerus="yes">
<source>No column surely says how many came: each of the {n} pasted lines counts as 1. Undo takes all of them back.</source>
<translation>
<numerusform>Keine Spalte sagt sicher, wie viele es sind: die eingefügte Zeile zählt als 1.</numerusform>
<numerusform>Keine Spalte sagt sicher, wie viele es sind: jede der {n} eingefügten Zeilen zählt als 1. „Rückgängig“ nimmt alle zurück.</numerusform>
</translation>
</message>
<message>
<source>No date</source>
<translation>Kein Datum</translation>
</message>
<message>
<source>No filter can exclude just this.</source>
<translation>Kein Filter kann genau dies ausschließen.</translation>
</message>
<message>
<source>No filter is set.</source>
<translation>Kein Filter ist gesetzt.</translation>
</message>
<message>
<source>No history</source>
<translation>Kein Verlauf</translation>
</message>
<message>
<source>No limits</source>
<translation>Keine Limits</translation>
</message>
<message>
<source>No longer in stock</source>
<translation>Nicht mehr im Bestand</translation>
</message>
<message>
<source>No longer there</source>
<translation>Nicht mehr vorhanden</translation>
</message>
<message>
<source>No matching change</source>
<translation>Keine passende Änderung</translation>
</message>
<message>
<source>No minimum stock is set</source>
<translation>Kein Mindestbestand ist festgelegt</translation>
</message>
<message>
<source>No more than {most} labels at once.</source>
<translation>Höchstens {most} Etiketten auf einmal.</translation>
</message>
<message>
<source>No name stands twice in a category</source>
<translation>Kein Name steht in einer Kategorie doppelt</translation>
</message>
<message numerus="yes">
<source>No network for {n} seconds</source>
<translation>
<numerusform>{n} Sekunde lang kein Netzwerk</numerusform>
<numerusform>{n} Sekunden lang kein Netzwerk</numerusform>
</translation>
</message>
<message>
<source>No open orders</source>
<translation>Keine offenen Bestellungen</translation>
</message>
<message>
<source>No order is overdue</source>
<translation>Keine Bestellung ist überfällig</translation>
</message>
<message>
<source>No order is overdue, and no pet is low.</source>
<translation>Keine Bestellung ist überfällig, und kein Tier ist knapp.</translation>
</message>
<message>
<source>No order is overdue.</source>
<translation>Keine Bestellung ist überfällig.</translation>
</message>
<message>
<source>No order matches {filter}</source>
<translation>Keine Bestellung passt zu {filter}</translation>
</message>
<message>
<source>No page has these words. Try fewer, or others.</source>
<translation>Keine Seite enthält diese Wörter. Versuchen Sie weniger oder andere.</translation>
</message>
<message>
<source>No path of the document names pets, categories, orders or stock, so nothing is used.</source>
<translation>Kein Pfad des Dokuments nennt Tiere, Kategorien, Bestellungen oder Bestand, deshalb wird nichts verwendet.</translation>
</message>
<message>
<source>No pet has the code {code}</source>
<translation>Kein Tier hat den Code {code}</translation>
</message>
<message>
<source>No pet has the id {id}. To enter that many pieces, type {typed}.</source>
<translation>Kein Tier hat die ID {id}. Um so viele Stück einzugeben, tippen Sie {typed}.</translation>
</message>
<message>
<source>No pet has this code yet</source>
<translation>Noch kein Tier hat diesen Code</translation>
</message>
<message>
<source>No pet is called that</source>
<translation>Kein Tier heißt so</translation>
</message>
<message>
<source>No pet is called that.</source>
<translation>Kein Tier heißt so.</translation>
</message>
<message>
<source>No pet is called {name}, or has this id</source>
<translation>Kein Tier heißt {name} oder hat diese ID</translation>
</message>
<message>
<source>No pet matches {filter}</source>
<translation>Kein Tier passt zu {filter}</translation>
</message>
<message>
<source>No pet that was read is called that; not all of the pets are here.</source>
<translation>Kein gelesenes Tier heißt so; nicht alle Tiere sind hier.</translation>
</message>
<message>
<source>No pet: {code}</source>
<comment>a bar code that no pet has</comment>
<translation>Kein Tier: {code}</translation>
</message>
<message>
<source>No pets chosen</source>
<translation>Keine Tiere gewählt</translation>
</message>
<message>
<source>No problems found.</source>
<translation>Keine Probleme gefunden.</translation>
</message>
<message>
<source>No program here opens {file}.</source>
<translation>Kein Programm hier öffnet {file}.</translation>
</message>
<message>
<source>No record of these lists can be used: {lists} ({why}).</source>
<translation>Kein Datensatz dieser Listen kann verwendet werden: {lists} ({why}).</translation>
</message>
<message>
<source>No requests are left: next try in {left}</source>
<translation>Keine Anfragen sind übrig: noch {left} bis zum nächsten Versuch</translation>
</message>
<message>
<source>No requests yet</source>
<translation>Noch keine Anfragen</translation>
</message>
<message>
<source>No secure connection to {host} is possible: its certificate is not trusted.</source>
<translation>{host}: Eine sichere Verbindung ist nicht möglich, weil dem Zertifikat nicht vertraut wird.</translation>
</message>
<message>
<source>No sold pet has stock</source>
<translation>Kein verkauftes Tier hat Bestand</translation>
</message>
<message>
<source>No sound</source>
<translation>Kein Ton</translation>
</message>
<message>
<source>No stock</source>
<translation>Kein Bestand</translation>
</message>
<message>
<source>No stock entry matches {filter}</source>
<translation>Kein Bestandseintrag passt zu {filter}</translation>
</message>
<message>
<source>No stock is below zero</source>
<translation>Kein Bestand ist unter null</translation>
</message>
<message>
<source>No stock is low</source>
<translation>Kein Bestand ist knapp</translation>
</message>
<message>
<source>No stock is low.</source>
<translation>Kein Bestand ist knapp.</translation>
</message>
<message>
<source>No unknown codes</source>
<translation>Keine unbekannten Codes</translation>
</message>
<message>
<source>No.</source>
<translation>Nr.</translation>
</message>
<message>
<source>None</source>
<translation>Keine</translation>
</message>
<message>
<source>None</source>
<comment>no code on a label</comment>
<translation>Keiner</translation>
</message>
<message>
<source>None in stock.</source>
<translation>Nichts im Bestand.</translation>
</message>
<message>
<source>None is shown; all are safe there.</source>
<translation>Keiner wird angezeigt; beim Dienst sind alle sicher.</translation>
</message>
<message>
<source>None left</source>
<translation>Ausverkauft</translation>
</message>
<message>
<source>None of it is on this computer yet.</source>
<translation>Noch ist nichts davon auf diesem Computer.</translation>
</message>
<message>
<source>None of these rows fits the filter any more. Refresh takes them away.</source>
<translation>Keine dieser Zeilen passt noch zum Filter. „Aktualisieren“ nimmt sie weg.</translation>
</message>
<message numerus="yes">
<source>None of {n} changes matches.</source>
<translation>
<numerusform>Die eine Änderung passt nicht.</numerusform>
<numerusform>Keine von {n} Änderungen passt.</numerusform>
</translation>
</message>
<message>
<source>None of {things} can be shown</source>
<translation>Nichts davon kann angezeigt werden: {things}</translation>
</message>
<message>
<source>Not all categories have been read: whether there is this one is not known.</source>
<translation>Nicht alle Kategorien wurden gelesen: ob es diese gibt, ist nicht bekannt.</translation>
</message>
<message>
<source>Not all of the list has been read: whether there is a record #{id} is not known.</source>
<translation>Die Liste wurde nicht ganz gelesen: ob es den Datensatz #{id} gibt, ist nicht bekannt.</translation>
</message>
<message>
<source>Not all pets have been read: whether there is this one is not known.</source>
<translation>Nicht alle Tiere wurden gelesen: ob es dieses gibt, ist nicht bekannt.</translation>
</message>
<message>
<source>Not among the pets that are counted: tick it, or leave it</source>
<translation>Nicht unter den gezählten Tieren: anhaken oder so lassen</translation>
</message>
<message>
<source>Not available now.</source>
<translation>Jetzt nicht verfügbar.</translation>
</message>
<message>
<source>Not booked yet</source>
<translation>Noch nicht gebucht</translation>
</message>
<message>
<source>Not booked yet: {typed} is still in the field. Enter takes it, Esc clears it</source>
<translation>Noch nicht gebucht: {typed} steht noch im Feld. Enter übernimmt es, Esc leert das Feld</translation>
</message>
<message>
<source>Not checked, because not all of it is here: {lists}.</source>
<translation>Nicht geprüft, weil nicht alles davon hier ist: {lists}.</translation>
</message>
<message>
<source>Not checked: something else is in the way.</source>
<translation>Nicht geprüft: Etwas anderes steht im Weg.</translation>
</message>
<message>
<source>Not chosen</source>
<translation>Nicht gewählt</translation>
</message>
<message>
<source>Not compared with the shop since it was counted</source>
<translation>Seit der Zählung nicht mit dem Geschäft verglichen</translation>
</message>
<message>
<source>Not compared with the shop yet</source>
<translation>Noch nicht mit dem Geschäft verglichen</translation>
</message>
<message>
<source>Not counted, because not all of it is here: {lists}.</source>
<translation>Nicht gezählt, weil nicht alles davon hier ist: {lists}.</translation>
</message>
<message>
<source>Not found among the fields of {things}: {fields}.</source>
<translation>Unter den Feldern für {things} nicht gefunden: {fields}.</translation>
</message>
<message>
<source>Not known</source>
<translation>Nicht bekannt</translation>
</message>
<message>
<source>Not known.</source>
<translation>Nicht bekannt.</translation>
</message>
<message>
<source>Not low</source>
<translation>Nicht knapp</translation>
</message>
<message>
<source>Not offered by the service: {lists}.</source>
<translation>Vom Dienst nicht angeboten: {lists}.</translation>
</message>
<message>
<source>Not possible without it: {what}.</source>
<translation>Ohne diesen Wert nicht möglich: {what}.</translation>
</message>
<message>
<source>Not possible: {what}. {endpoint} was not taken: {why}.</source>
<translation>Nicht möglich: {what}. {endpoint} wurde nicht verwendet: {why}.</translation>
</message>
<message>
<source>Not saved yet</source>
<translation>Noch nicht gespeichert</translation>
</message>
<message>
<source>Not saved:</source>
<translation>Nicht gespeichert:</translation>
</message>
<message>
<source>Not saved: the disk of this computer takes nothing. Free some space, then go on.</source>
<translation>Nicht gespeichert: Der Datenträger dieses Computers nimmt nichts auf. Geben Sie Platz frei und zählen Sie dann weiter.</translation>
</message>
<message>
<source>Not saved: this computer’s disk takes nothing more</source>
<translation>Nicht gespeichert: Der Datenträger dieses Computers nimmt nichts mehr auf</translation>
</message>
<message>
<source>Not sent yet</source>
<translation>Noch nicht gesendet</translation>
</message>
<message>
<source>Not sent: {said}. Your change is kept here.</source>
<translation>Nicht gesendet: {said}. Ihre Änderung bleibt hier erhalten.</translation>
</message>
<message>
<source>Not sent: {said}. {record} is kept here</source>
<translation>Nicht gesendet: {said}. {record} bleibt hier erhalten</translation>
</message>
<message>
<source>Not tried: there is nothing to read with it.</source>
<translation>Nicht geprüft: Es gibt nichts, was damit gelesen werden könnte.</translation>
</message>
<message>
<source>Not used</source>
<translation>Nicht verwendet</translation>
</message>
<message>
<source>Not wholly read yet: {lists}.</source>
<translation>Noch nicht ganz gelesen: {lists}.</translation>
</message>
<message>
<source>Note</source>
<translation>Anmerkung</translation>
</message>
<message>
<source>Note on this count</source>
<translation>Anmerkung zu dieser Zählung</translation>
</message>
<message>
<source>Nothing begins with {text}.</source>
<translation>Nichts beginnt mit {text}.</translation>
</message>
<message>
<source>Nothing begins with {text}. Use: {words}.</source>
<translation>Nichts beginnt mit {text}. Möglich sind: {words}.</translation>
</message>
<message>
<source>Nothing can change backwards.</source>
<translation>Rückwärts kann sich nichts ändern.</translation>
</message>
<message>
<source>Nothing changed</source>
<translation>Nichts hat sich geändert</translation>
</message>
<message>
<source>Nothing changed between {then} and {now}.</source>
<translation>Zwischen {then} und {now} hat sich nichts geändert.</translation>
</message>
<message>
<source>Nothing changed since {time}, when the history began.</source>
<translation>Seit {time}, dem Beginn des Verlaufs, hat sich nichts geändert.</translation>
</message>
<message>
<source>Nothing changed since {time}.</source>
<translation>Seit {time} hat sich nichts geändert.</translation>
</message>
<message>
<source>Nothing changes at the service.</source>
<translation>Beim Dienst ändert sich nichts.</translation>
</message>
<message>
<source>Nothing else is sent until it is answered.</source>
<translation>Sonst wird nichts gesendet, bis sie beantwortet ist.</translation>
</message>
<message>
<source>Nothing found for {text}</source>
<translation>Nichts gefunden für {text}</translation>
</message>
<message>
<source>Nothing found for {text}; not all of the shop is here</source>
<translation>Nichts gefunden für {text}; nicht alles aus dem Geschäft ist hier</translation>
</message>
<message numerus="yes">
<source>Nothing here belongs to them.</source>
<translation>
<numerusform>Nichts hier gehört dazu.</numerusform>
<numerusform>Nichts hier gehört dazu.</numerusform>
</translation>
</message>
<message>
<source>Nothing here needs attention</source>
<translation>Hier ist nichts zu klären</translation>
</message>
<message>
<source>Nothing here was changed today</source>
<translation>Hier wurde heute nichts geändert</translation>
</message>
<message>
<source>Nothing here was removed or overwritten; the rows read before stay.</source>
<translation>Hier wurde nichts entfernt oder überschrieben; die zuvor gelesenen Zeilen bleiben.</translation>
</message>
<message>
<source>Nothing in it was waiting to be sent. Only the list of changes is shorter now.</source>
<translation>Nichts darin wartete darauf, gesendet zu werden. Nur die Liste der Änderungen ist jetzt kürzer.</translation>
</message>
<message>
<source>Nothing is due this week</source>
<translation>Diese Woche ist nichts fällig</translation>
</message>
<message>
<source>Nothing is lost by waiting. {saved}</source>
<translation>Durch Warten geht nichts verloren. {saved}</translation>
</message>
<message>
<source>Nothing is low</source>
<translation>Nichts ist knapp</translation>
</message>
<message>
<source>Nothing is on this computer yet</source>
<translation>Noch ist nichts auf diesem Computer</translation>
</message>
<message>
<source>Nothing is saved yet: a preview comes next.</source>
<translation>Noch wird nichts gespeichert: Zuerst kommt eine Vorschau.</translation>
</message>
<message>
<source>Nothing is sent to this shop. Change this in File &gt; Connection settings.</source>
<translation>An dieses Geschäft wird nichts gesendet. Ändern können Sie das unter Datei &gt; Verbindungseinstellungen.</translation>
</message>
<message>
<source>Nothing listens at {host}; nothing was sent.</source>
<translation>Unter {host} ist nichts erreichbar; es wurde nichts gesendet.</translation>
</message>
<message>
<source>Nothing needs attention</source>
<translation>Nichts zu klären</translation>
</message>
<message>
<source>Nothing proves that it was done, and the service shows what was there before. Either yours never arrived, or it arrived and somebody else set it back.</source>
<translation>Nichts beweist, dass es geschehen ist, und der Dienst zeigt, was vorher da war. Entweder ist Ihre Änderung nie angekommen, oder sie ist angekommen und jemand anderes hat sie zurückgesetzt.</translation>
</message>
<message>
<source>Nothing proves that it was done, and the stock is another. Either your {booked} arrived and somebody else booked too, or it never arrived.</source>
<translation>Nichts beweist, dass es geschehen ist, und der Bestand ist ein anderer. Entweder ist Ihre Buchung {booked} angekommen und jemand anderes hat auch gebucht, oder sie ist nie angekommen.</translation>
</message>
<message>
<source>Nothing proves that it was done, and the stock is as before. Either your {booked} never arrived, or it arrived and somebody else booked the opposite.</source>
<translation>Nichts beweist, dass es geschehen ist, und der Bestand ist wie vorher. Entweder ist Ihre Buchung {booked} nie angekommen, oder sie ist angekommen und jemand anderes hat das Gegenteil gebucht.</translation>
</message>
<message>
<source>Nothing proves that it was done, and the stock is as with your {booked}. Either it arrived, or it never did and somebody else booked the same.</source>
<translation>Nichts beweist, dass es geschehen ist, und der Bestand ist wie mit Ihrer Buchung {booked}. Entweder ist sie angekommen, oder sie ist nie angekommen und jemand anderes hat dasselbe gebucht.</translation>
</message>
<message>
<source>Nothing to book: scan what came in.</source>
<translation>Nichts zu buchen: Scannen Sie, was eingegangen ist.</translation>
</message>
<message>
<source>Nothing to change</source>
<translation>Nichts zu ändern</translation>
</message>
<message>
<source>Nothing to change: it already has this value.</source>
<translation>Nichts zu ändern: Dieser Wert ist schon da.</translation>
</message>
<message>
<source>Nothing to paste: copy cells or a text first.</source>
<translation>Nichts zum Einfügen: Kopieren Sie zuerst Zellen oder einen Text.</translation>
</message>
<message>
<source>Nothing to save</source>
<translation>Nichts zu speichern</translation>
</message>
<message>
<source>Nothing was changed.</source>
<translation>Es wurde nichts geändert.</translation>
</message>
<message>
<source>Nothing was overwritten; your change is kept here.</source>
<translation>Nichts wurde überschrieben; Ihre Änderung bleibt hier erhalten.</translation>
</message>
<message>
<source>Nothing was read from it or written to it.</source>
<translation>Es wurde nichts daraus gelesen und nichts hineingeschrieben.</translation>
</message>
<message>
<source>Nothing was read.</source>
<translation>Es wurde nichts gelesen.</translation>
</message>
<message>
<source>Nothing was seen to change in these days.</source>
<translation>In diesen Tagen wurde keine Änderung gesehen.</translation>
</message>
<message>
<source>Nothing was sent, not even the key. You can read and edit the data on this computer.</source>
<translation>Es wurde nichts gesendet, auch nicht der Schlüssel. Sie können die Daten auf diesem Computer lesen und bearbeiten.</translation>
</message>
<message>
<source>Nothing was sent.</source>
<translation>Es wurde nichts gesendet.</translation>
</message>
<message>
<source>Nothing was written.</source>
<translation>Es wurde nichts geschrieben.</translation>
</message>
<message>
<source>Now</source>
<translation>Jetzt</translation>
</message>
<message>
<source>Now the network fails. You go on working; nothing is lost.</source>
<translation>Jetzt fällt das Netz aus. Sie arbeiten weiter; nichts geht verloren.</translation>
</message>
<message>
<source>Now {time}</source>
<translation>Jetzt {time}</translation>
</message>
<message>
<source>Numbers</source>
<translation>Zahlen</translation>
</message>
<message>
<source>Numbers of now as of {time}.</source>
<translation>Jetzige Zahlen: Stand {time}.</translation>
</message>
<message>
<source>OK</source>
<translation>OK</translation>
</message>
<message>
<source>OK: {checks}</source>
<translation>OK: {checks}</translation>
</message>
<message>
<source>Off</source>
<translation>Aus</translation>
</message>
<message>
<source>Offered</source>
<translation>Angeboten</translation>
</message>
<message>
<source>Offline since {time}. The program tries again now, and keeps trying</source>
<translation>Offline seit {time}. Das Programm versucht es jetzt erneut und danach immer wieder</translation>
</message>
<message>
<source>Offline since {time}: the service cannot be reached</source>
<translation>Offline seit {time}: Der Dienst ist nicht erreichbar</translation>
</message>
<message>
<source>Offline: the program tries again now; nothing has changed here</source>
<translation>Offline: Das Programm versucht es jetzt erneut; hier hat sich nichts geändert</translation>
</message>
<message>
<source>Old value</source>
<translation>Alter Wert</translation>
</message>
<message>
<source>Olive</source>
<translation>Oliv</translation>
</message>
<message>
<source>On</source>
<translation>Ein</translation>
</message>
<message>
<source>On each label</source>
<translation>Auf jedem Etikett</translation>
</message>
<message>
<source>On its way to the service.</source>
<translation>Unterwegs zum Dienst.</translation>
</message>
<message>
<source>One day…</source>
<translation>Ein Tag…</translation>
</message>
<message>
<source>One file at a time, please.</source>
<translation>Bitte nur eine Datei auf einmal.</translation>
</message>
<message>
<source>One moment.</source>
<translation>Einen Moment.</translation>
</message>
<message>
<source>One name per line. Saved at once, then sent.</source>
<translation>Ein Name je Zeile. Wird sofort gespeichert und dann gesendet.</translation>
</message>
<message>
<source>One order for {pet}, to ship on {day}.</source>
<translation>Eine Bestellung von {pet}, am {day} zu versenden.</translation>
</message>
<message>
<source>One order for {pet}, to ship today.</source>
<translation>Eine Bestellung von {pet}, heute zu versenden.</translation>
</message>
<message>
<source>One order for {pet}.</source>
<translation>Eine Bestellung von {pet}.</translation>
</message>
<message>
<source>Only in {tabs}.</source>
<translation>Nur unter {tabs}.</translation>
</message>
<message>
<source>Only the history is affected; nothing else is.</source>
<translation>Nur der Verlauf ist betroffen, sonst nichts.</translation>
</message>
<message>
<source>Only what the list shows: {view}</source>
<translation>Nur was die Liste zeigt: {view}</translation>
</message>
<message numerus="yes">
<source>Only {n} in stock.</source>
<translation>
<numerusform>Nur {n} im Bestand.</numerusform>
<numerusform>Nur {n} im Bestand.</numerusform>
</translation>
</message>
<message>
<source>Open</source>
<translation>Öffnen</translation>
</message>
<message>
<source>Open &amp;log folder</source>
<translation>&amp;Log-Ordner öffnen</translation>
</message>
<message>
<source>Open Today</source>
<translation>Tab „Heute“ öffnen</translation>
</message>
<message>
<source>Open licences</source>
<translation>Lizenzen öffnen</translation>
</message>
<message>
<source>Open orders</source>
<translation>Offene Bestellungen</translation>
</message>
<message>
<source>Open the demo shop</source>
<translation>Demo-Geschäft öffnen</translation>
</message>
<message>
<source>Open the folder</source>
<translation>Ordner öffnen</translation>
</message>
<message>
<source>Open the list</source>
<translation>Liste öffnen</translation>
</message>
<message>
<source>Open the list, and make the missing changes again.</source>
<translation>Öffnen Sie die Liste und nehmen Sie die fehlenden Änderungen noch einmal vor.</translation>
</message>
<message>
<source>Open the manual (F1)</source>
<translation>Handbuch öffnen (F1)</translation>
</message>
<message>
<source>Open the tab that was shown last</source>
<translation>Zuletzt angezeigten Tab öffnen</translation>
</message>
<message>
<source>OpenAPI document</source>
<translation>OpenAPI-Dokument</translation>
</message>
<message>
<source>OpenAPI document (optional)</source>
<translation>OpenAPI-Dokument (optional)</translation>
</message>
<message>
<source>OpenAPI documents and profiles (*.json *.yaml *.yml *.toml)</source>
<translation>OpenAPI-Dokumente und Profile (*.json *.yaml *.yml *.toml)</translation>
</message>
<message>
<source>Operation</source>
<translation>Operation</translation>
</message>
<message>
<source>Operations</source>
<translation>Operationen</translation>
</message>
<message>
<source>Operations of this service</source>
<translation>Operationen dieses Dienstes</translation>
</message>
<message>
<source>Operations…</source>
<translation>Operationen…</translation>
</message>
<message>
<source>Or type it</source>
<translation>Oder eingeben</translation>
</message>
<message>
<source>Order</source>
<translation>Bestellung</translation>
</message>
<message>
<source>Order</source>
<comment>header of the order’s id</comment>
<translation>Nr.</translation>
</message>
<message>
<source>Order</source>
<comment>one that has no id yet</comment>
<translation>Bestellung</translation>
</message>
<message>
<source>Order id</source>
<translation>ID der Bestellung</translation>
</message>
<message>
<source>Order of a pet that does not exist</source>
<translation>Bestellung ohne vorhandenes Tier</translation>
</message>
<message>
<source>Order up to</source>
<translation>Auffüllen bis</translation>
</message>
<message>
<source>Order without an id</source>
<translation>Bestellung ohne ID</translation>
</message>
<message>
<source>Order {id}</source>
<translation>Bestellung {id}</translation>
</message>
<message>
<source>Order {id}, {count} {pet}</source>
<translation>Bestellung {id}, {count} {pet}</translation>
</message>
<message>
<source>Order {id}, {pet}</source>
<translation>Bestellung {id}, {pet}</translation>
</message>
<message>
<source>Order {id}: {pet}</source>
<translation>Bestellung {id}: {pet}</translation>
</message>
<message>
<source>Order {what} up to {most} in stock</source>
<translation>{what}: auffüllen bis {most} im Bestand</translation>
</message>
<message>
<source>Orders</source>
<translation>Bestellungen</translation>
</message>
<message>
<source>Orders by ship date</source>
<translation>Bestellungen nach Versanddatum</translation>
</message>
<message>
<source>Orders by ship date, as they are now</source>
<translation>Bestellungen nach Versanddatum, wie sie jetzt sind</translation>
</message>
<message>
<source>Orders by ship date, last week and this week</source>
<translation>Bestellungen nach Versanddatum, letzte und diese Woche</translation>
</message>
<message>
<source>Orders changed today</source>
<translation>Heute geänderte Bestellungen</translation>
</message>
<message>
<source>Orders completed</source>
<translation>Erledigte Bestellungen</translation>
</message>
<message>
<source>Orders for more than is in stock</source>
<translation>Bestellungen über den Bestand hinaus</translation>
</message>
<message>
<source>Orders of pets that do not exist</source>
<translation>Bestellungen ohne vorhandenes Tier</translation>
</message>
<message>
<source>Orders of this pet</source>
<translation>Bestellungen dieses Tiers</translation>
</message>
<message>
<source>Orders placed</source>
<translation>Aufgegebene Bestellungen</translation>
</message>
<message>
<source>Orders that come in at the service are shown here.</source>
<translation>Bestellungen, die beim Dienst eingehen, werden hier angezeigt.</translation>
</message>
<message>
<source>Orders that need attention</source>
<translation>Zu klärende Bestellungen</translation>
</message>
<message>
<source>Other changes</source>
<translation>Andere Änderungen</translation>
</message>
<message>
<source>Other fields of the service</source>
<translation>Weitere Felder des Dienstes</translation>
</message>
<message>
<source>Other fields of {things}, which are shown in the details: {fields}.</source>
<translation>Weitere Felder für {things}, die in den Details angezeigt werden: {fields}.</translation>
</message>
<message>
<source>Others with the same key</source>
<translation>Andere mit demselben Schlüssel</translation>
</message>
<message>
<source>Outbo&amp;x</source>
<translation>&amp;Postausgang</translation>
</message>
<message>
<source>Outbox</source>
<translation>Postausgang</translation>
</message>
<message>
<source>Overdue</source>
<translation>Überfällig</translation>
</message>
<message>
<source>Overdue orders</source>
<translation>Überfällige Bestellungen</translation>
</message>
<message>
<source>Overdue orders now</source>
<translation>Überfällige Bestellungen jetzt</translation>
</message>
<message numerus="yes">
<source>Overdue orders now: {n}</source>
<translation>
<numerusform>Überfällige Bestellungen jetzt: {n}</numerusform>
<numerusform>Überfällige Bestellungen jetzt: {n}</numerusform>
</translation>
</message>
<message>
<source>Own line</source>
<translation>Eigene Zeile</translation>
</message>
<message>
<source>Own size of labels</source>
<translation>Eigene Größe der Etiketten</translation>
</message>
<message>
<source>Own size, {columns} × {rows}, {width} × {height} mm</source>
<translation>Eigene Größe, {columns} × {rows}, {width} × {height} mm</translation>
</message>
<message>
<source>Own size…</source>
<translation>Eigene Größe…</translation>
</message>
<message>
<source>P&amp;ut all shown into a category…</source>
<translation>Allen angezeigten eine Kategorie zu&amp;weisen…</translation>
</message>
<message>
<source>P&amp;ut into a category…</source>
<translation>Kategorie zu&amp;weisen…</translation>
</message>
<message>
<source>PDF file</source>
<translation>PDF-Datei</translation>
</message>
<message>
<source>Page of the manual</source>
<translation>Seite des Handbuchs</translation>
</message>
<message>
<source>Pages of the manual</source>
<translation>Seiten des Handbuchs</translation>
</message>
<message>
<source>Paste</source>
<translation>Einfügen</translation>
</message>
<message>
<source>Paste lines</source>
<translation>Zeilen einfügen</translation>
</message>
<message>
<source>Path</source>
<translation>Pfad</translation>
</message>
<message>
<source>Pause</source>
<translation>Pause</translation>
</message>
<message>
<source>Pauses are exact all the same: they are counted, not read from a clock.</source>
<translation>Die Pausen sind trotzdem genau: Sie werden gezählt, nicht von einer Uhr abgelesen.</translation>
</message>
<message>
<source>Pending</source>
<translation>Reserviert</translation>
</message>
<message>
<source>Period</source>
<translation>Zeitraum</translation>
</message>
<message>
<source>Person</source>
<translation>Person</translation>
</message>
<message>
<source>Pet</source>
<translation>Tier</translation>
</message>
<message>
<source>Pet Store Desktop</source>
<translation>Pet Store Desktop</translation>
</message>
<message>
<source>Pet Store Desktop did not end as it should the last time.</source>
<translation>Pet Store Desktop wurde beim letzten Mal nicht ordnungsgemäß beendet.</translation>
</message>
<message>
<source>Pet Store Desktop is free software under the MIT licence. It uses Qt and PySide6 under the GNU Lesser General Public License, version 3. They are separate libraries beside the program: you may replace them with your own, and you may take the program apart to debug such a change.</source>
<translation>Pet Store Desktop ist freie Software unter der MIT-Lizenz. Das Programm verwendet Qt und PySide6 unter der GNU Lesser General Public License, Version 3. Dies sind eigene Bibliotheken neben dem Programm: Sie dürfen sie durch Ihre eigenen ersetzen, und Sie dürfen das Programm zerlegen, um nach einer solchen Änderung Fehler zu suchen.</translation>
</message>
<message>
<source>Pet Store Desktop {version} is available: Help &gt; About Pet Store Desktop.</source>
<translation>Pet Store Desktop {version} ist verfügbar: Hilfe &gt; Über Pet Store Desktop.</translation>
</message>
<message>
<source>Pet id</source>
<translation>ID des Tiers</translation>
</message>
<message>
<source>Pets</source>
<translation>Tiere</translation>
</message>
<message>
<source>Pets as the program reads them</source>
<translation>Tiere, wie das Programm sie liest</translation>
</message>
<message>
<source>Pets found</source>
<translation>Gefundene Tiere</translation>
</message>
<message>
<source>Pets of the same name</source>
<translation>Tiere mit gleichem Namen</translation>
</message>
<message>
<source>Pets sold</source>
<translation>Verkaufte Tiere</translation>
</message>
<message>
<source>Pets without a category</source>
<translation>Tiere ohne Kategorie</translation>
</message>
<message>
<source>Pet’s name</source>
<translation>Name des Tiers</translation>
</message>
<message>
<source>Pieces in stock</source>
<translation>Stück im Bestand</translation>
</message>
<message>
<source>Pieces in stock by category</source>
<translation>Stück im Bestand nach Kategorie</translation>
</message>
<message>
<source>Place order</source>
<translation>Bestellung anlegen</translation>
</message>
<message>
<source>Plan</source>
<translation>Tarif</translation>
</message>
<message>
<source>Pr&amp;int this list…</source>
<translation>Diese Liste &amp;drucken…</translation>
</message>
<message>
<source>Pre&amp;ferences…</source>
<translation>E&amp;instellungen…</translation>
</message>
<message>
<source>Pre&amp;vious tab</source>
<translation>V&amp;origer Tab</translation>
</message>
<message>
<source>Preferences</source>
<translation>Einstellungen</translation>
</message>
<message>
<source>Preparing…</source>
<translation>Wird vorbereitet…</translation>
</message>
<message>
<source>Preview</source>
<translation>Vorschau</translation>
</message>
<message>
<source>Preview of the labels</source>
<translation>Vorschau der Etiketten</translation>
</message>
<message numerus="yes">
<source>Preview {n} rows</source>
<translation>
<numerusform>Vorschau: {n} Zeile</numerusform>
<numerusform>Vorschau: {n} Zeilen</numerusform>
</translation>
</message>
<message>
<source>Preview: {page}, {start}</source>
<translation>Vorschau: {page}, {start}</translation>
</message>
<message>
<source>Preview: {what}</source>
<translation>Vorschau: {what}</translation>
</message>
<message>
<source>Previous month</source>
<translation>Voriger Monat</translation>
</message>
<message>
<source>Previous page</source>
<translation>Vorige Seite</translation>
</message>
<message>
<source>Previous sheet</source>
<translation>Voriges Blatt</translation>
</message>
<message>
<source>Print</source>
<translation>Drucken</translation>
</message>
<message>
<source>Print at 100 %, not “fit to page”. These choices are kept for the next time.</source>
<translation>Drucken Sie mit 100 %, nicht „An Seite anpassen“. Diese Auswahl wird für das nächste Mal gemerkt.</translation>
</message>
<message>
<source>Print labels</source>
<translation>Etiketten drucken</translation>
</message>
<message>
<source>Print one to try</source>
<translation>Probedruck</translation>
</message>
<message>
<source>Print the changes</source>
<translation>Änderungen drucken</translation>
</message>
<message>
<source>Print the whole manual…</source>
<translation>Ganzes Handbuch drucken…</translation>
</message>
<message numerus="yes">
<source>Print {n} labels</source>
<translation>
<numerusform>{n} Etikett drucken</numerusform>
<numerusform>{n} Etiketten drucken</numerusform>
</translation>
</message>
<message>
<source>Print {view}</source>
<translation>{view} drucken</translation>
</message>
<message>
<source>Printing did not finish. Check the printer, or save a PDF.</source>
<translation>Der Druck wurde nicht abgeschlossen. Prüfen Sie den Drucker oder speichern Sie ein PDF.</translation>
</message>
<message>
<source>Print…</source>
<translation>Drucken…</translation>
</message>
<message>
<source>Profiles (*.toml)</source>
<translation>Profile (*.toml)</translation>
</message>
<message>
<source>Program</source>
<translation>Programm</translation>
</message>
<message>
<source>Progress</source>
<translation>Fortschritt</translation>
</message>
<message>
<source>Protocol as &amp;CSV…</source>
<translation>Protokoll als &amp;CSV…</translation>
</message>
<message>
<source>Protocol as &amp;PDF…</source>
<translation>Protokoll als &amp;PDF…</translation>
</message>
<message>
<source>Protocol of the count</source>
<translation>Protokoll der Zählung</translation>
</message>
<message>
<source>Proxy</source>
<translation>Proxy</translation>
</message>
<message>
<source>Put away</source>
<translation>Ausblenden</translation>
</message>
<message>
<source>Put away until there are more: {what}</source>
<translation>Ausgeblendet, bis es mehr sind: {what}</translation>
</message>
<message>
<source>Put it back, or choose another one for the connection.</source>
<translation>Legen Sie sie wieder an ihren Platz oder wählen Sie eine andere für die Verbindung.</translation>
</message>
<message>
<source>QR</source>
<translation>QR</translation>
</message>
<message>
<source>Quantity</source>
<translation>Menge</translation>
</message>
<message>
<source>Quantity can’t be negative.</source>
<translation>Die Menge darf nicht negativ sein.</translation>
</message>
<message>
<source>Quit the program and start it again.</source>
<translation>Beenden Sie das Programm und starten Sie es wieder.</translation>
</message>
<message>
<source>R&amp;efresh</source>
<translation>&amp;Aktualisieren</translation>
</message>
<message>
<source>Re&amp;quests</source>
<translation>An&amp;fragen</translation>
</message>
<message>
<source>Read {age}.</source>
<translation>Gelesen: {age}.</translation>
</message>
<message>
<source>Read-only</source>
<translation>Nur Lesen</translation>
</message>
<message>
<source>Read-only, not changed: {columns}.</source>
<translation>Nur lesbar, nicht geändert: {columns}.</translation>
</message>
<message>
<source>Read-only: send no change to this shop</source>
<translation>Nur Lesen: keine Änderung an dieses Geschäft senden</translation>
</message>
<message>
<source>Reading one category</source>
<translation>Lesen einer Kategorie</translation>
</message>
<message>
<source>Reading one order</source>
<translation>Lesen einer Bestellung</translation>
</message>
<message>
<source>Reading one pet</source>
<translation>Lesen eines Tiers</translation>
</message>
<message>
<source>Reading the history…</source>
<translation>Der Verlauf wird gelesen…</translation>
</message>
<message>
<source>Reading the list of categories</source>
<translation>Lesen der Liste der Kategorien</translation>
</message>
<message>
<source>Reading the list of orders</source>
<translation>Lesen der Liste der Bestellungen</translation>
</message>
<message>
<source>Reading the list of pets</source>
<translation>Lesen der Liste der Tiere</translation>
</message>
<message>
<source>Reading the shop: {done}</source>
<translation>Das Geschäft wird gelesen: {done}</translation>
</message>
<message>
<source>Reading the shop: {done} of {total}</source>
<translation>Das Geschäft wird gelesen: {done} von {total}</translation>
</message>
<message>
<source>Reading the stock list once, to see what moved since. Press the button again to go on without it.</source>
<translation>Die Bestandsliste wird einmal gelesen, um zu sehen, was sich seither bewegt hat. Klicken Sie noch einmal auf die Schaltfläche, um ohne sie fortzufahren.</translation>
</message>
<message>
<source>Reading the stock of all pets</source>
<translation>Lesen des Bestands aller Tiere</translation>
</message>
<message>
<source>Reading the stock of one pet</source>
<translation>Lesen des Bestands eines Tiers</translation>
</message>
<message>
<source>Reading was stopped</source>
<translation>Das Lesen wurde angehalten</translation>
</message>
<message>
<source>Reading {things}</source>
<translation>Gelesen werden {things}</translation>
</message>
<message>
<source>Reads a little of each list and changes nothing.</source>
<translation>Liest ein wenig von jeder Liste und ändert nichts.</translation>
</message>
<message>
<source>Reads a small file once a week. Nothing about you or your shop is sent.</source>
<translation>Liest einmal pro Woche eine kleine Datei. Über Sie und Ihr Geschäft wird nichts gesendet.</translation>
</message>
<message>
<source>Reason</source>
<translation>Grund</translation>
</message>
<message>
<source>Receive</source>
<translation>Wareneingang</translation>
</message>
<message>
<source>Receive goods</source>
<translation>Wareneingang</translation>
</message>
<message>
<source>Received</source>
<translation>Eingang</translation>
</message>
<message>
<source>Received</source>
<comment>a delivery</comment>
<translation>Wareneingang</translation>
</message>
<message>
<source>Received: {note}</source>
<translation>Wareneingang: {note}</translation>
</message>
<message>
<source>Recognise scans everywhere</source>
<translation>Scans überall erkennen</translation>
</message>
<message>
<source>Record</source>
<translation>Datensatz</translation>
</message>
<message>
<source>Record or id</source>
<translation>Datensatz oder ID</translation>
</message>
<message>
<source>Record {id} may be a colleague’s: it looks like yours, but the service never confirmed yours. It is not deleted unless you choose to.</source>
<translation>Datensatz {id} könnte von jemand anderem aus Ihrem Team sein: Er sieht aus wie Ihrer, aber der Dienst hat Ihren nie bestätigt. Er wird nur gelöscht, wenn Sie sich dafür entscheiden.</translation>
</message>
<message>
<source>Records</source>
<translation>Datensätze</translation>
</message>
<message>
<source>Records of this kind do not have the field that was entered.</source>
<translation>Datensätze dieser Art haben das eingegebene Feld nicht.</translation>
</message>
<message>
<source>Records set aside</source>
<translation>Beiseitegelegte Datensätze</translation>
</message>
<message>
<source>Redo</source>
<translation>Wiederholen</translation>
</message>
<message>
<source>Redo: {what}</source>
<translation>Wiederholen: {what}</translation>
</message>
<message>
<source>Redone: {what}</source>
<translation>Wiederholt: {what}</translation>
</message>
<message>
<source>Refresh</source>
<translation>Aktualisieren</translation>
</message>
<message>
<source>Refresh</source>
<comment>what requests were used for</comment>
<translation>Aktualisierung</translation>
</message>
<message>
<source>Refresh the list to see what is there now.</source>
<translation>Aktualisieren Sie die Liste, um zu sehen, was jetzt da ist.</translation>
</message>
<message>
<source>Refresh the list.</source>
<translation>Aktualisieren Sie die Liste.</translation>
</message>
<message>
<source>Refused</source>
<translation>Abgelehnt</translation>
</message>
<message>
<source>Refused: {said}. Your change is kept here.</source>
<translation>Abgelehnt: {said}. Ihre Änderung bleibt hier erhalten.</translation>
</message>
<message>
<source>Refused: {said}. {record} is kept here</source>
<translation>Abgelehnt: {said}. {record} bleibt hier erhalten</translation>
</message>
<message>
<source>Rehearsal</source>
<translation>Probelauf</translation>
</message>
<message>
<source>Rehearsal of {shop} — Pet Store Desktop</source>
<translation>Probelauf von {shop} – Pet Store Desktop</translation>
</message>
<message>
<source>Rehearsal:</source>
<translation>Probelauf:</translation>
</message>
<message>
<source>Rehearsal: {words}</source>
<translation>Probelauf: {words}</translation>
</message>
<message>
<source>Rehearse</source>
<translation>Probelauf</translation>
</message>
<message>
<source>Rehearse…</source>
<translation>Probelauf…</translation>
</message>
<message>
<source>Rem&amp;ove from the sort</source>
<translation>Aus der Sortierung &amp;entfernen</translation>
</message>
<message>
<source>Remove them from the address, and enter the password as the key.</source>
<translation>Entfernen Sie beides aus der Adresse und geben Sie das Passwort als Schlüssel ein.</translation>
</message>
<message>
<source>Removed by the service</source>
<translation>Vom Dienst entfernt</translation>
</message>
<message>
<source>Removed by the service on {day}</source>
<translation>Vom Dienst am {day} entfernt</translation>
</message>
<message>
<source>Rename</source>
<translation>Umbenennen</translation>
</message>
<message>
<source>Rename {things}</source>
<translation>{things} umbenennen</translation>
</message>
<message>
<source>Rename {view}</source>
<translation>{view} umbenennen</translation>
</message>
<message>
<source>Rename {view}…</source>
<translation>{view} umbenennen…</translation>
</message>
<message>
<source>Repeated below; that row counts</source>
<translation>Weiter unten wiederholt; es gilt die untere Zeile</translation>
</message>
<message>
<source>Replace</source>
<translation>Ersetzen</translation>
</message>
<message>
<source>Report</source>
<translation>Bericht</translation>
</message>
<message>
<source>Report, {days}</source>
<translation>Bericht, {days}</translation>
</message>
<message>
<source>Reports &amp;by week and month</source>
<translation>Wochen- &amp;und Monatsberichte</translation>
</message>
<message>
<source>Request</source>
<translation>Anfrage</translation>
</message>
<message>
<source>Requests</source>
<translation>Anfragen</translation>
</message>
<message>
<source>Requests cannot be recorded: {file} cannot be used.</source>
<translation>Anfragen können nicht aufgezeichnet werden: {file} kann nicht verwendet werden.</translation>
</message>
<message>
<source>Requests go through {proxy}. It sees where they go, but neither the key nor the content.</source>
<translation>Die Anfragen gehen über {proxy}. Er sieht, wohin sie gehen, aber weder den Schlüssel noch den Inhalt.</translation>
</message>
<message>
<source>Requests le&amp;ft</source>
<translation>Verbleibende Anfra&amp;gen</translation>
</message>
<message>
<source>Requests left</source>
<translation>Verbleibende Anfragen</translation>
</message>
<message>
<source>Requests per day</source>
<translation>Anfragen pro Tag</translation>
</message>
<message>
<source>Requests per minute</source>
<translation>Anfragen pro Minute</translation>
</message>
<message>
<source>Requests today</source>
<translation>Anfragen heute</translation>
</message>
<message>
<source>Requests today: {used}. {words}</source>
<translation>Anfragen heute: {used}. {words}</translation>
</message>
<message>
<source>Requests: this minute {minute}; today {day}</source>
<translation>Anfragen: in dieser Minute {minute}; heute {day}</translation>
</message>
<message>
<source>Res&amp;tore built-in views</source>
<translation>&amp;Mitgelieferte Ansichten wiederherstellen</translation>
</message>
<message>
<source>Reserve and order</source>
<translation>Reservieren und bestellen</translation>
</message>
<message>
<source>Reserve for a caller</source>
<translation>Für Anrufer reservieren</translation>
</message>
<message>
<source>Reserve for a caller…</source>
<translation>Für Anrufer reservieren…</translation>
</message>
<message>
<source>Restart the program.</source>
<translation>Starten Sie das Programm neu.</translation>
</message>
<message>
<source>Result</source>
<translation>Ergebnis</translation>
</message>
<message>
<source>Resume</source>
<translation>Fortsetzen</translation>
</message>
<message>
<source>Resume &amp;now…</source>
<translation>&amp;Jetzt fortsetzen…</translation>
</message>
<message>
<source>Resume now</source>
<translation>Jetzt fortsetzen</translation>
</message>
<message>
<source>Resume now…</source>
<translation>Jetzt fortsetzen…</translation>
</message>
<message>
<source>Review variances</source>
<translation>Differenzen prüfen</translation>
</message>
<message numerus="yes">
<source>Review {n} variances</source>
<translation>
<numerusform>{n} Differenz prüfen</numerusform>
<numerusform>{n} Differenzen prüfen</numerusform>
</translation>
</message>
<message>
<source>Risk a ban and resume now?</source>
<translation>Eine Sperre riskieren und jetzt fortsetzen?</translation>
</message>
<message>
<source>Roll, {width} × {height} mm</source>
<translation>Rolle, {width} × {height} mm</translation>
</message>
<message>
<source>Rose</source>
<translation>Rosa</translation>
</message>
<message>
<source>Row</source>
<translation>Zeile</translation>
</message>
<message>
<source>Rows</source>
<translation>Zeilen</translation>
</message>
<message>
<source>Rows of the file</source>
<translation>Zeilen der Datei</translation>
</message>
<message>
<source>Rows of the file: {changed} to change, {new} new, {same} the same, {wrong} wrong.</source>
<translation>Zeilen der Datei: {changed} zu ändern, {new} neu, {same} gleich, {wrong} fehlerhaft.</translation>
</message>
<message>
<source>Rows show as they come.</source>
<translation>Zeilen erscheinen, sobald sie ankommen.</translation>
</message>
<message>
<source>Runs on</source>
<translation>Läuft mit</translation>
</message>
<message>
<source>Rust</source>
<translation>Rost</translation>
</message>
<message>
<source>Same as system</source>
<translation>Wie das System</translation>
</message>
<message>
<source>Same name twice</source>
<translation>Name doppelt</translation>
</message>
<message>
<source>Save</source>
<translation>Speichern</translation>
</message>
<message>
<source>Save &amp;changes of this view</source>
<translation>Änderungen dieser Ansicht spe&amp;ichern</translation>
</message>
<message>
<source>Save PDF</source>
<translation>PDF speichern</translation>
</message>
<message>
<source>Save anyway</source>
<translation>Trotzdem speichern</translation>
</message>
<message>
<source>Save as CSV</source>
<translation>Als CSV speichern</translation>
</message>
<message>
<source>Save as PDF</source>
<translation>Als PDF speichern</translation>
</message>
<message>
<source>Save as profile</source>
<translation>Als Profil speichern</translation>
</message>
<message>
<source>Save as profile…</source>
<translation>Als Profil speichern …</translation>
</message>
<message>
<source>Save it as a file, keep only the parts about pets, categories, orders and stock, and choose that file as the connection’s document.</source>
<translation>Speichern Sie es als Datei, behalten Sie darin nur die Teile zu Tieren, Kategorien, Bestellungen und Bestand und wählen Sie diese Datei als Dokument der Verbindung.</translation>
</message>
<message>
<source>Save the protocol as CSV</source>
<translation>Protokoll als CSV speichern</translation>
</message>
<message>
<source>Save the table as CSV or XLSX, and import that.</source>
<translation>Speichern Sie die Tabelle als CSV oder XLSX und importieren Sie diese Datei.</translation>
</message>
<message>
<source>Save this choice of operations?</source>
<translation>Diese Auswahl der Operationen speichern?</translation>
</message>
<message>
<source>Save view</source>
<translation>Ansicht speichern</translation>
</message>
<message>
<source>Save {changes}</source>
<translation>{changes} speichern</translation>
</message>
<message numerus="yes">
<source>Save {n} values in {changes}</source>
<translation>
<numerusform>{n} Wert in {changes} speichern</numerusform>
<numerusform>{n} Werte in {changes} speichern</numerusform>
</translation>
</message>
<message>
<source>Save {view}</source>
<translation>{view} speichern</translation>
</message>
<message>
<source>Saved as you count: closing the program loses nothing</source>
<translation>Beim Zählen gespeichert: Auch beim Beenden geht nichts verloren</translation>
</message>
<message>
<source>Saved as you scan: closing the program loses nothing</source>
<translation>Beim Scannen gespeichert: Auch beim Beenden geht nichts verloren</translation>
</message>
<message>
<source>Saved at once, then sent: 1 request.</source>
<translation>Sofort gespeichert, dann gesendet: 1 Anfrage.</translation>
</message>
<message>
<source>Saved changes are safe. Until this is solved nothing can be changed or sent.</source>
<translation>Gespeicherte Änderungen sind sicher. Bis dies gelöst ist, kann nichts geändert oder gesendet werden.</translation>
</message>
<message>
<source>Saved on this computer</source>
<translation>Auf diesem Computer gespeichert</translation>
</message>
<message>
<source>Saved on this computer at once, then sent.</source>
<translation>Wird sofort auf diesem Computer gespeichert, dann gesendet.</translation>
</message>
<message>
<source>Saved on this computer {time}.</source>
<translation>Gespeichert {time} auf diesem Computer.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out after one test request.</source>
<translation>Gespeichert {time} auf diesem Computer. Wird nach einer Testanfrage gesendet.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out after {until}, when the ban is over.</source>
<translation>Gespeichert {time} auf diesem Computer. Wird ab {until} gesendet, wenn die Sperre vorüber ist.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out after {until}, with the next day’s requests.</source>
<translation>Gespeichert {time} auf diesem Computer. Wird ab {until} gesendet, mit den Anfragen des nächsten Tages.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out after {until}: the rest of today’s requests is kept for you.</source>
<translation>Gespeichert {time} auf diesem Computer. Wird ab {until} gesendet: Der Rest der heutigen Anfragen bleibt für Sie.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out in its turn.</source>
<translation>Gespeichert {time} auf diesem Computer. Wird gesendet, wenn sie an der Reihe ist.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out next.</source>
<translation>Gespeichert {time} auf diesem Computer. Wird als Nächstes gesendet.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out once there is a key that works.</source>
<translation>Gespeichert {time} auf diesem Computer. Wird gesendet, sobald es einen gültigen Schlüssel gibt.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out when the ban is over.</source>
<translation>Gespeichert {time} auf diesem Computer. Wird gesendet, wenn die Sperre vorüber ist.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out when the pause is over.</source>
<translation>Gespeichert {time} auf diesem Computer. Wird gesendet, wenn die Pause vorüber ist.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out when the service has requests left again.</source>
<translation>Gespeichert {time} auf diesem Computer. Wird gesendet, wenn der Dienst wieder Anfragen übrig hat.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out when the service takes requests again.</source>
<translation>Gespeichert {time} auf diesem Computer. Wird gesendet, wenn der Dienst wieder Anfragen annimmt.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out with the next day’s requests.</source>
<translation>Gespeichert {time} auf diesem Computer. Wird mit den Anfragen des nächsten Tages gesendet.</translation>
</message>
<message>
<source>Saved on this computer {time}. Goes out with the next minute’s requests.</source>
<translation>Gespeichert {time} auf diesem Computer. Wird mit den Anfragen der nächsten Minute gesendet.</translation>
</message>
<message>
<source>Saved on this computer {time}. Its job is paused.</source>
<translation>Gespeichert {time} auf diesem Computer. Der Vorgang ist pausiert.</translation>
</message>
<message>
<source>Saved on this computer {time}. There is no key yet, so nothing is sent (File &gt; Change key).</source>
<translation>Gespeichert {time} auf diesem Computer. Es gibt noch keinen Schlüssel, deshalb wird nichts gesendet (Datei &gt; Schlüssel ändern).</translation>
</message>
<message>
<source>Saved on this computer {time}. Waits for an earlier change that needs attention.</source>
<translation>Gespeichert {time} auf diesem Computer. Wartet auf eine frühere Änderung, die zu klären ist.</translation>
</message>
<message>
<source>Saved on this computer {time}. Waits for the network.</source>
<translation>Gespeichert {time} auf diesem Computer. Wartet auf das Netzwerk.</translation>
</message>
<message>
<source>Saved on this computer {time}. Waits: the rest of today’s requests is kept for you.</source>
<translation>Gespeichert {time} auf diesem Computer. Wartet: Der Rest der heutigen Anfragen bleibt für Sie.</translation>
</message>
<message>
<source>Saved on this computer. Not sent: this connection is read-only.</source>
<translation>Auf diesem Computer gespeichert. Nicht gesendet: Diese Verbindung ist nur zum Lesen.</translation>
</message>
<message>
<source>Saves the filter, sort and columns of this list on this computer.</source>
<translation>Speichert Filter, Sortierung und Spalten dieser Liste auf diesem Computer.</translation>
</message>
<message>
<source>Scan a code that is missing: you are asked for its pet again.</source>
<translation>Scannen Sie einen fehlenden Code: Sie werden erneut nach seinem Tier gefragt.</translation>
</message>
<message>
<source>Scan the first pet, or type its id or name.</source>
<translation>Scannen Sie das erste Tier oder geben Sie seine ID oder seinen Namen ein.</translation>
</message>
<message>
<source>Scan the next pet, or type its id or name.</source>
<translation>Scannen Sie das nächste Tier oder geben Sie seine ID oder seinen Namen ein.</translation>
</message>
<message>
<source>Scan what came in</source>
<translation>Scannen Sie, was eingegangen ist</translation>
</message>
<message>
<source>Scan, or type an id or a name</source>
<translation>Scannen, ID oder Namen eingeben</translation>
</message>
<message>
<source>Scanned at</source>
<translation>Gescannt um</translation>
</message>
<message>
<source>Scanned {what}. Close this window first, then scan again.</source>
<translation>Gescannt: {what}. Schließen Sie zuerst dieses Fenster und scannen Sie dann noch einmal.</translation>
</message>
<message>
<source>Scanner</source>
<translation>Scanner</translation>
</message>
<message>
<source>Scans</source>
<translation>Scans</translation>
</message>
<message>
<source>Scene</source>
<translation>Szenario</translation>
</message>
<message>
<source>Search or &amp;jump to…</source>
<translation>Su&amp;chen oder springen zu…</translation>
</message>
<message>
<source>Search the manual</source>
<translation>Handbuch durchsuchen</translation>
</message>
<message>
<source>Searching…</source>
<translation>Suche läuft…</translation>
</message>
<message>
<source>See the service’s documentation; it often ends in /v1.</source>
<translation>Siehe Dokumentation des Dienstes; endet oft auf /v1.</translation>
</message>
<message>
<source>Seen</source>
<translation>Gesehen</translation>
</message>
<message>
<source>Select &amp;all</source>
<translation>&amp;Alles auswählen</translation>
</message>
<message>
<source>Select &amp;whole rows</source>
<translation>&amp;Ganze Zeilen auswählen</translation>
</message>
<message>
<source>Select cells that form a block to copy them.</source>
<translation>Wählen Sie zum Kopieren Zellen aus, die einen Block bilden.</translation>
</message>
<message>
<source>Select pets in the Pets or Inventory list, then press Ctrl+L.</source>
<translation>Wählen Sie Tiere in der Liste Tiere oder Bestand aus und drücken Sie dann Strg+L.</translation>
</message>
<message>
<source>Select rows first.</source>
<translation>Wählen Sie zuerst Zeilen aus.</translation>
</message>
<message>
<source>Select whole columns</source>
<translation>Ganze Spalten auswählen</translation>
</message>
<message>
<source>Selected: {rows}</source>
<translation>Ausgewählt: {rows}</translation>
</message>
<message>
<source>Semicolon</source>
<translation>Semikolon</translation>
</message>
<message>
<source>Send again</source>
<translation>Erneut senden</translation>
</message>
<message>
<source>Send again sends it now; It was done sends nothing.</source>
<translation>„Erneut senden“ sendet sie jetzt; „Ist erledigt“ sendet nichts.</translation>
</message>
<message>
<source>Send first</source>
<translation>Zuerst senden</translation>
</message>
<message>
<source>Send {changes}</source>
<translation>{changes} senden</translation>
</message>
<message numerus="yes">
<source>Send {n}</source>
<translation>
<numerusform>{n} senden</numerusform>
<numerusform>{n} senden</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Send {n} again</source>
<translation>
<numerusform>{n} erneut senden</numerusform>
<numerusform>{n} erneut senden</numerusform>
</translation>
</message>
<message>
<source>Sending is paused for {left}</source>
<translation>Das Senden ist noch {left} pausiert</translation>
</message>
<message>
<source>Sending is paused until {time}.</source>
<translation>Das Senden ist bis {time} pausiert.</translation>
</message>
<message>
<source>Sending is paused.</source>
<translation>Das Senden ist pausiert.</translation>
</message>
<message>
<source>Sent</source>
<translation>Gesendet</translation>
</message>
<message>
<source>Sent to the printer</source>
<translation>An den Drucker gesendet</translation>
</message>
<message>
<source>Sent {seen}, no answer came. Look in the list whether it is there.</source>
<translation>Gesendet {seen}, es kam keine Antwort. Sehen Sie in der Liste nach, ob der Datensatz da ist.</translation>
</message>
<message>
<source>Sent {time}.</source>
<translation>Gesendet {time}.</translation>
</message>
<message>
<source>Sent {time}. The record may be a colleague’s: it has the values that you entered, but the service never confirmed yours.</source>
<translation>Gesendet {time}. Der Datensatz kann von einer Kollegin oder einem Kollegen stammen: Er hat die Werte, die Sie eingegeben haben, aber der Dienst hat Ihren nie bestätigt.</translation>
</message>
<message>
<source>Sent {time}. Undone since.</source>
<translation>Gesendet {time}. Seither rückgängig gemacht.</translation>
</message>
<message>
<source>Sentence copied</source>
<translation>Satz kopiert</translation>
</message>
<message>
<source>Separator</source>
<translation>Trennzeichen</translation>
</message>
<message>
<source>Server response</source>
<translation>Serverantwort</translation>
</message>
<message>
<source>Set</source>
<translation>Festlegen</translation>
</message>
<message>
<source>Set &amp;sold</source>
<translation>Auf verkauft &amp;setzen</translation>
</message>
<message>
<source>Set a&amp;vailable</source>
<translation>Auf &amp;verfügbar setzen</translation>
</message>
<message>
<source>Set all stock shown to &amp;0…</source>
<translation>Gesamten angezeigten Bestand auf &amp;0 setzen…</translation>
</message>
<message>
<source>Set an http proxy (HTTPS_PROXY), or exclude this service (NO_PROXY). Then restart the program.</source>
<translation>Stellen Sie einen http-Proxy ein (HTTPS_PROXY) oder nehmen Sie diesen Dienst aus (NO_PROXY). Starten Sie das Programm dann neu.</translation>
</message>
<message>
<source>Set minimums…</source>
<translation>Mindestbestand festlegen…</translation>
</message>
<message>
<source>Set one up to store the key. Until then the program asks for it at each start.</source>
<translation>Richten Sie einen ein, um den Schlüssel zu speichern. Bis dahin fragt das Programm bei jedem Start danach.</translation>
</message>
<message>
<source>Set one up, or give the key in the variable PETSTORE_API_KEY.</source>
<translation>Richten Sie einen ein oder geben Sie den Schlüssel in der Variablen PETSTORE_API_KEY an.</translation>
</message>
<message>
<source>Set pendin&amp;g</source>
<translation>Auf rese&amp;rviert setzen</translation>
</message>
<message>
<source>Set stock to &amp;0…</source>
<translation>Bestand auf &amp;0 setzen…</translation>
</message>
<message>
<source>Set the minimum stock again (Shop &gt; Minimum stock).</source>
<translation>Legen Sie den Mindestbestand noch einmal fest (Geschäft &gt; Mindestbestand).</translation>
</message>
<message>
<source>Set them in its address (HTTPS_PROXY=http://name:password@proxy). Then restart the program.</source>
<translation>Geben Sie beides in seiner Adresse an (HTTPS_PROXY=http://name:password@proxy). Starten Sie das Programm dann neu.</translation>
</message>
<message>
<source>Set these values again, or connect again under the same name and address.</source>
<translation>Stellen Sie diese Werte noch einmal ein oder verbinden Sie sich unter demselben Namen und derselben Adresse erneut.</translation>
</message>
<message>
<source>Set {things} to {value}</source>
<translation>{things} auf {value} setzen</translation>
</message>
<message>
<source>Several categories have this name: enter the id.</source>
<translation>Mehrere Kategorien haben diesen Namen: Geben Sie die ID ein.</translation>
</message>
<message>
<source>Several pets have {code}</source>
<translation>Mehrere Tiere haben {code}</translation>
</message>
<message>
<source>Several pets have {code}. Which one is it?</source>
<translation>Mehrere Tiere haben {code}. Welches ist es?</translation>
</message>
<message>
<source>Sheet</source>
<translation>Blatt</translation>
</message>
<message>
<source>Sheet</source>
<comment>of a workbook</comment>
<translation>Blatt</translation>
</message>
<message>
<source>Sheet {page} of {pages}</source>
<translation>Blatt {page} von {pages}</translation>
</message>
<message>
<source>Sheet, height</source>
<translation>Blatt, Höhe</translation>
</message>
<message>
<source>Sheet, width</source>
<translation>Blatt, Breite</translation>
</message>
<message>
<source>Shift JIS, Japanese</source>
<translation>Shift JIS, Japanisch</translation>
</message>
<message>
<source>Shift+F5</source>
<translation>Umschalt+F5</translation>
</message>
<message>
<source>Ship date</source>
<translation>Versanddatum</translation>
</message>
<message>
<source>Shop</source>
<translation>Geschäft</translation>
</message>
<message>
<source>Show</source>
<translation>Anzeigen</translation>
</message>
<message>
<source>Show all changes</source>
<translation>Alle Änderungen anzeigen</translation>
</message>
<message>
<source>Show each request</source>
<translation>Jede Anfrage anzeigen</translation>
</message>
<message>
<source>Show its o&amp;rders</source>
<translation>&amp;Bestellungen anzeigen</translation>
</message>
<message>
<source>Show me, in a minute and a half</source>
<translation>Zeigen, in anderthalb Minuten</translation>
</message>
<message>
<source>Show outbox</source>
<translation>Postausgang anzeigen</translation>
</message>
<message>
<source>Show the report</source>
<translation>Bericht anzeigen</translation>
</message>
<message>
<source>Shown: {rows}</source>
<translation>Angezeigt: {rows}</translation>
</message>
<message>
<source>Shows the requests left and who used them</source>
<translation>Zeigt die verbleibenden Anfragen und wer sie verbraucht hat</translation>
</message>
<message>
<source>Signs such as | and ! work in the filters below the headers.</source>
<translation>Zeichen wie | und ! wirken in den Filtern unter den Spaltentiteln.</translation>
</message>
<message>
<source>Since</source>
<translation>Seit</translation>
</message>
<message>
<source>Since you left</source>
<translation>Während Ihrer Abwesenheit</translation>
</message>
<message>
<source>Since {time}: {parts}.</source>
<translation>Seit {time}: {parts}.</translation>
</message>
<message>
<source>Slate</source>
<translation>Schiefer</translation>
</message>
<message>
<source>Sold</source>
<translation>Verkauft</translation>
</message>
<message>
<source>Sold pets with stock</source>
<translation>Verkaufte Tiere mit Bestand</translation>
</message>
<message>
<source>Sold with stock</source>
<translation>Verkauft mit Bestand</translation>
</message>
<message>
<source>Some name categories that may be newer than the list of categories. Refresh the categories to tell.</source>
<translation>Einige nennen Kategorien, die neuer sein können als die Liste der Kategorien. Die Kategorien aktualisieren, um es zu erfahren.</translation>
</message>
<message>
<source>Some name pets that may be newer than the list of pets. Refresh the pets to tell.</source>
<translation>Einige nennen Tiere, die neuer sein können als die Liste der Tiere. Die Tiere aktualisieren, um es zu erfahren.</translation>
</message>
<message>
<source>Some records name others that are not here: they may be new. Refresh to be sure: {lists}.</source>
<translation>Einige Datensätze nennen andere, die hier fehlen: Sie können neu sein. Zur Sicherheit aktualisieren: {lists}.</translation>
</message>
<message>
<source>Some values in {file} cannot be used: {what}.</source>
<translation>Einige Werte in {file} können nicht verwendet werden: {what}.</translation>
</message>
<message>
<source>Somebody else changed it between {since} and {time}.</source>
<translation>Jemand anderes hat dies zwischen {since} und {time} geändert.</translation>
</message>
<message>
<source>Somebody else edits too</source>
<translation>Jemand anderes bearbeitet mit</translation>
</message>
<message>
<source>Something answers at {url}, but it has no OpenAPI document there and none of the standard operations.</source>
<translation>Unter {url} antwortet etwas, aber es gibt dort weder ein OpenAPI-Dokument noch eine der Standardoperationen.</translation>
</message>
<message>
<source>Something answers at {url}, but nothing shows that it is the service.</source>
<translation>Unter {url} antwortet etwas, aber nichts zeigt, dass es der Dienst ist.</translation>
</message>
<message>
<source>Something answers, but not with a list of a pet shop.</source>
<translation>Es antwortet etwas, aber nicht mit einer Liste einer Tierhandlung.</translation>
</message>
<message>
<source>Something is missing after {text}.</source>
<translation>Nach {text} fehlt etwas.</translation>
</message>
<message>
<source>Sort &amp;ascending</source>
<translation>&amp;Aufsteigend sortieren</translation>
</message>
<message>
<source>Sort &amp;descending</source>
<translation>Abstei&amp;gend sortieren</translation>
</message>
<message>
<source>Sound of a scan</source>
<translation>Ton bei einem Scan</translation>
</message>
<message>
<source>Squares of {width} mm: hard to scan. Choose larger labels.</source>
<translation>Quadrate {width} mm: schwer zu scannen. Wählen Sie größere Etiketten.</translation>
</message>
<message>
<source>Squares of {width} mm: safe for hand scanners</source>
<translation>Quadrate {width} mm: sicher für Handscanner</translation>
</message>
<message>
<source>Stands beside each of these changes in the history.</source>
<translation>Steht im Verlauf bei jeder dieser Änderungen.</translation>
</message>
<message>
<source>Start at label</source>
<translation>Bei Etikett beginnen</translation>
</message>
<message>
<source>Start it again, or log in again, then enter the key.</source>
<translation>Starten Sie ihn wieder oder melden Sie sich neu an und geben Sie dann den Schlüssel ein.</translation>
</message>
<message>
<source>Start over</source>
<translation>Neu beginnen</translation>
</message>
<message>
<source>State</source>
<translation>Zustand</translation>
</message>
<message>
<source>Status</source>
<translation>Status</translation>
</message>
<message>
<source>Stock</source>
<translation>Bestand</translation>
</message>
<message>
<source>Stock at or below the minimum is marked low. Both are kept on this computer only.</source>
<translation>Bestand am oder unter dem Minimum wird als knapp markiert. Beides wird nur auf diesem Computer aufbewahrt.</translation>
</message>
<message>
<source>Stock below zero</source>
<translation>Bestand unter null</translation>
</message>
<message>
<source>Stock changed</source>
<translation>Geänderter Bestand</translation>
</message>
<message>
<source>Stock changed today</source>
<translation>Heute geänderter Bestand</translation>
</message>
<message>
<source>Stock entries</source>
<translation>Bestandseinträge</translation>
</message>
<message>
<source>Stock is changed by the key that each of its entries has of its own: {name}.</source>
<translation>Der Bestand wird über den eigenen Schlüssel jedes Eintrags geändert: {name}.</translation>
</message>
<message>
<source>Stock over time</source>
<translation>Bestand im Zeitverlauf</translation>
</message>
<message>
<source>Stock that needs attention</source>
<translation>Zu klärender Bestand</translation>
</message>
<message>
<source>Stock without a pet</source>
<translation>Bestand ohne Tier</translation>
</message>
<message>
<source>Stocktake</source>
<translation>Inventur</translation>
</message>
<message>
<source>Stocktake begun</source>
<translation>Inventur begonnen</translation>
</message>
<message>
<source>Stocktake {time}</source>
<translation>Inventur {time}</translation>
</message>
<message>
<source>Stocktake: {what}</source>
<translation>Inventur: {what}</translation>
</message>
<message>
<source>Stop</source>
<translation>Anhalten</translation>
</message>
<message>
<source>Stop reading</source>
<translation>Lesen anhalten</translation>
</message>
<message>
<source>Stopped.</source>
<translation>Abgebrochen.</translation>
</message>
<message>
<source>Stopped. Nothing was saved.</source>
<translation>Abgebrochen. Es wurde nichts gespeichert.</translation>
</message>
<message>
<source>Stopped: {what}. {sent} of {n} were sent, and stay</source>
<translation>Angehalten: {what}. {sent} von {n} sind gesendet und bleiben es</translation>
</message>
<message>
<source>Such a change shows here with both values.</source>
<translation>Solche Änderungen stehen hier mit beiden Werten.</translation>
</message>
<message>
<source>Supplier note</source>
<translation>Lieferschein</translation>
</message>
<message>
<source>Sw&amp;itch to another shop…</source>
<translation>Zu anderem Gesc&amp;häft wechseln…</translation>
</message>
<message>
<source>Swap them</source>
<translation>Vertauschen</translation>
</message>
<message>
<source>T&amp;hen by this, ascending</source>
<translation>&amp;Zusätzlich aufsteigend</translation>
</message>
<message>
<source>Tab</source>
<translation>Tabulator</translation>
</message>
<message>
<source>Tables (*.csv *.tsv *.txt *.tab *.xlsx *.xlsm)</source>
<translation>Tabellen (*.csv *.tsv *.txt *.tab *.xlsx *.xlsm)</translation>
</message>
<message>
<source>Tabs</source>
<translation>Tabs</translation>
</message>
<message>
<source>Take out</source>
<translation>Herausnehmen</translation>
</message>
<message>
<source>Take theirs</source>
<translation>Fremden übernehmen</translation>
</message>
<message>
<source>Teal</source>
<translation>Petrol</translation>
</message>
<message>
<source>Tell me when there is a newer version</source>
<translation>Neuere Versionen melden</translation>
</message>
<message>
<source>Tell the service’s provider. The program still obeys every wait.</source>
<translation>Informieren Sie den Betreiber des Dienstes. Das Programm hält trotzdem jede Wartezeit ein.</translation>
</message>
<message>
<source>Test after a pause</source>
<translation>Test nach einer Pause</translation>
</message>
<message>
<source>Test and connect</source>
<translation>Prüfen und verbinden</translation>
</message>
<message>
<source>Text for any spreadsheet (.csv)</source>
<translation>Text für jede Tabellenkalkulation (.csv)</translation>
</message>
<message>
<source>That has not happened yet</source>
<translation>Das liegt noch in der Zukunft</translation>
</message>
<message>
<source>That was a demo shop. Open it to try it yourself, or connect your own shop.</source>
<translation>Das war ein Demo-Geschäft. Öffnen Sie es, um es selbst zu probieren, oder verbinden Sie Ihr eigenes.</translation>
</message>
<message>
<source>The OpenAPI document cannot be read: {path}.</source>
<translation>Das OpenAPI-Dokument kann nicht gelesen werden: {path}.</translation>
</message>
<message>
<source>The OpenAPI document describes another service: {titled}. Nothing in it is what a pet shop needs.</source>
<translation>Das OpenAPI-Dokument beschreibt einen anderen Dienst: {titled}. Es enthält nichts, was eine Tierhandlung braucht.</translation>
</message>
<message>
<source>The OpenAPI document has more than {most} operations, and the first ones are not what a pet shop needs.</source>
<translation>Das OpenAPI-Dokument hat mehr als {most} Operationen, und die ersten sind nicht das, was eine Tierhandlung braucht.</translation>
</message>
<message>
<source>The OpenAPI document has moved to another address: {target}.</source>
<translation>Das OpenAPI-Dokument hat jetzt eine andere Adresse: {target}.</translation>
</message>
<message>
<source>The OpenAPI document is larger than {megabytes} MB, so it was not read: {path}.</source>
<translation>Das OpenAPI-Dokument ist größer als {megabytes} MB, deshalb wurde es nicht gelesen: {path}.</translation>
</message>
<message>
<source>The OpenAPI document is much larger than its file once expanded ({why}), so it was not read to the end.</source>
<translation>Das OpenAPI-Dokument wird beim Auflösen viel größer als seine Datei ({why}), deshalb wurde es nicht zu Ende gelesen.</translation>
</message>
<message>
<source>The OpenAPI document is neither JSON nor YAML ({why}).</source>
<translation>Das OpenAPI-Dokument ist weder JSON noch YAML ({why}).</translation>
</message>
<message>
<source>The OpenAPI document is not at {path}. That address redirects to {target}; the program does not follow.</source>
<translation>Das OpenAPI-Dokument ist nicht unter {path}. Diese Adresse leitet an {target} weiter; das Programm folgt nicht.</translation>
</message>
<message>
<source>The OpenAPI document is of version {version}; the program reads OpenAPI 3.0 and 3.1, and Swagger 2.0.</source>
<translation>Das OpenAPI-Dokument hat die Version {version}; das Programm liest OpenAPI 3.0 und 3.1 sowie Swagger 2.0.</translation>
</message>
<message>
<source>The OpenAPI document that was chosen: {named}.</source>
<translation>Das gewählte OpenAPI-Dokument: {named}.</translation>
</message>
<message>
<source>The address holds a password; enter it as the key instead.</source>
<translation>Die Adresse enthält ein Passwort; geben Sie es stattdessen als Schlüssel ein.</translation>
</message>
<message>
<source>The address holds a user name or a password; nothing was sent.</source>
<translation>Die Adresse enthält einen Benutzernamen oder ein Passwort; es wurde nichts gesendet.</translation>
</message>
<message>
<source>The address must begin with https:// (http:// only for this computer).</source>
<translation>Die Adresse muss mit https:// beginnen (http:// nur für diesen Computer).</translation>
</message>
<message>
<source>The answer is not JSON, but {content_type}.</source>
<translation>Die Antwort ist kein JSON, sondern {content_type}.</translation>
</message>
<message>
<source>The beginning of a word is enough.</source>
<translation>Der Anfang eines Wortes genügt.</translation>
</message>
<message>
<source>The categories</source>
<translation>Die Kategorien</translation>
</message>
<message>
<source>The categories are not all on this computer, and all are needed to tell.</source>
<translation>Nicht alle Kategorien sind auf diesem Computer, und dafür werden alle gebraucht.</translation>
</message>
<message>
<source>The category’s id and name are both changed, and do not match.</source>
<translation>ID und Name der Kategorie sind beide geändert und passen nicht zusammen.</translation>
</message>
<message>
<source>The certificate is trusted, by this computer or by {file}.</source>
<translation>Dem Zertifikat wird vertraut, durch diesen Computer oder durch {file}.</translation>
</message>
<message>
<source>The certificate of {host} expired: {until}.</source>
<translation>{host}: Das Zertifikat ist abgelaufen ({until}).</translation>
</message>
<message>
<source>The certificate of {host} is not valid yet; it begins: {since}.</source>
<translation>{host}: Das Zertifikat ist noch nicht gültig (Beginn: {since}).</translation>
</message>
<message>
<source>The certificate of {host} is self-signed, so this computer does not trust it.</source>
<translation>{host}: Das Zertifikat ist selbst signiert, deshalb vertraut ihm dieser Computer nicht.</translation>
</message>
<message>
<source>The certificate of {host} is signed by {issuer}, which this computer does not trust.</source>
<translation>{host}: Das Zertifikat ist von {issuer} signiert; dieser Computer vertraut dieser Stelle nicht.</translation>
</message>
<message>
<source>The certificate of {host} was revoked by its authority.</source>
<translation>{host}: Das Zertifikat wurde von seiner Zertifizierungsstelle widerrufen.</translation>
</message>
<message>
<source>The certificate that {host} shows is not for this name, but for {names}.</source>
<translation>{host}: Das vorgelegte Zertifikat gilt nicht für diesen Namen, sondern für {names}.</translation>
</message>
<message>
<source>The changes cannot be read</source>
<translation>Die Änderungen können nicht gelesen werden</translation>
</message>
<message>
<source>The changes of the rehearsal wait under Shop &gt; Rehearse.</source>
<translation>Die Änderungen des Probelaufs warten unter Geschäft &gt; Probelauf.</translation>
</message>
<message>
<source>The characters of this file can be read in several ways. Choose its encoding.</source>
<translation>Die Zeichen dieser Datei lassen sich auf mehrere Arten lesen. Wählen Sie ihre Codierung.</translation>
</message>
<message>
<source>The check was stopped.</source>
<translation>Die Prüfung wurde abgebrochen.</translation>
</message>
<message>
<source>The connection and its data are still here.</source>
<translation>Die Verbindung und ihre Daten sind noch vorhanden.</translation>
</message>
<message>
<source>The connection broke while it was sent. It may have arrived. The program checks, and sends nothing twice.</source>
<translation>Die Verbindung brach beim Senden ab. Die Änderung kann angekommen sein. Das Programm prüft es und sendet nichts doppelt.</translation>
</message>
<message>
<source>The connection follows a profile, and nothing is guessed: {named}.</source>
<translation>Die Verbindung folgt einem Profil, und nichts wird geraten: {named}.</translation>
</message>
<message>
<source>The connection follows the profile {named}, from which the service’s own document differs: {differences}.</source>
<translation>Die Verbindung folgt dem Profil {named}, von dem das Dokument des Dienstes abweicht: {differences}.</translation>
</message>
<message>
<source>The connection to {host} broke before the answer came.</source>
<translation>Die Verbindung zu {host} brach ab, bevor die Antwort kam.</translation>
</message>
<message>
<source>The connection’s CA file cannot be read: {path}.</source>
<translation>Die CA-Datei der Verbindung kann nicht gelesen werden: {path}.</translation>
</message>
<message>
<source>The connection’s CA file holds no certificate: {path}.</source>
<translation>Die CA-Datei der Verbindung enthält kein Zertifikat: {path}.</translation>
</message>
<message>
<source>The connection’s CA file is gone: {path}.</source>
<translation>Die CA-Datei der Verbindung ist nicht mehr vorhanden: {path}.</translation>
</message>
<message>
<source>The connection’s CA file is too large: {path}.</source>
<translation>Die CA-Datei der Verbindung ist zu groß: {path}.</translation>
</message>
<message>
<source>The corrections will be lost.</source>
<translation>Die Korrekturen gehen verloren.</translation>
</message>
<message>
<source>The data and the keys of your shops are still here.</source>
<translation>Die Daten und die Schlüssel Ihrer Geschäfte sind noch vorhanden.</translation>
</message>
<message>
<source>The data check no longer finds it: left out</source>
<translation>Von der Datenprüfung nicht mehr gefunden: ausgelassen</translation>
</message>
<message>
<source>The dates can be read in two ways: 03/04 is 3 April or 4 March. Choose how they are written.</source>
<translation>Die Datumsangaben können auf zwei Arten gelesen werden: 03/04 ist der 3. April oder der 4. März. Wählen Sie, wie sie geschrieben sind.</translation>
</message>
<message>
<source>The demo shop did not start.</source>
<translation>Das Demo-Geschäft wurde nicht gestartet.</translation>
</message>
<message>
<source>The disk is full.</source>
<translation>Der Datenträger ist voll.</translation>
</message>
<message>
<source>The document calls it {note}.</source>
<translation>Im Dokument heißt es {note}.</translation>
</message>
<message>
<source>The document is the one that the service publishes: {name}.</source>
<translation>Verwendet wird das Dokument, das der Dienst veröffentlicht: {name}.</translation>
</message>
<message>
<source>The document is the one that was chosen for this connection: {name}.</source>
<translation>Verwendet wird das Dokument, das für diese Verbindung gewählt wurde: {name}.</translation>
</message>
<message>
<source>The field is a guess by its name. Choose its name first, so that {shop} gets what you mean (File &gt; Operations &gt; Fields).</source>
<translation>Das Feld ist nach seinem Namen geraten. Wählen Sie zuerst seinen Namen, damit {shop} bekommt, was Sie meinen (Datei &gt; Operationen &gt; Felder).</translation>
</message>
<message>
<source>The file does not have this encoding. Choose another one.</source>
<translation>Die Datei hat nicht diese Codierung. Wählen Sie eine andere.</translation>
</message>
<message>
<source>The file has more than {n} cells. Leave out columns that are not needed, or split it, and import the parts.</source>
<translation>Die Datei hat mehr als {n} Zellen. Lassen Sie nicht gebrauchte Spalten weg oder teilen Sie die Datei auf und importieren Sie die Teile.</translation>
</message>
<message>
<source>The file has more than {n} columns. Leave out those that are not needed.</source>
<translation>Die Datei hat mehr als {n} Spalten. Lassen Sie die weg, die nicht gebraucht werden.</translation>
</message>
<message>
<source>The file has more than {n} rows. Split it, and import the parts.</source>
<translation>Die Datei hat mehr als {n} Zeilen. Teilen Sie sie auf und importieren Sie die Teile.</translation>
</message>
<message>
<source>The file of pauses and request counts is gone: {file}.</source>
<translation>Die Datei mit Pausen und Anfragezahlen ist nicht mehr vorhanden: {file}.</translation>
</message>
<message>
<source>The file of pauses and request counts was damaged. It is kept as {file}.</source>
<translation>Die Datei mit Pausen und Anfragezahlen war beschädigt. Sie wird als {file} aufbewahrt.</translation>
</message>
<message>
<source>The file of settings and connections was damaged. It is kept as {file}.</source>
<translation>Die Datei mit Einstellungen und Verbindungen war beschädigt. Sie wird als {file} aufbewahrt.</translation>
</message>
<message>
<source>The file of your bar codes was damaged. It is kept as {file}.</source>
<translation>Die Datei mit Ihren Barcodes war beschädigt. Sie wird als {file} aufbewahrt.</translation>
</message>
<message>
<source>The file of your changes is gone: {file}.</source>
<translation>Die Datei mit Ihren Änderungen ist nicht mehr vorhanden: {file}.</translation>
</message>
<message>
<source>The file of your changes was damaged. It is kept as {file}.</source>
<translation>Die Datei mit Ihren Änderungen war beschädigt. Sie wird als {file} aufbewahrt.</translation>
</message>
<message>
<source>The file of your earlier changes was damaged. It is kept as {file}.</source>
<translation>Die Datei mit Ihren früheren Änderungen war beschädigt. Sie wird als {file} aufbewahrt.</translation>
</message>
<message>
<source>The file of your minimum stock was damaged. It is kept as {file}.</source>
<translation>Die Datei mit Ihren Mindestbeständen war beschädigt. Sie wird als {file} aufbewahrt.</translation>
</message>
<message numerus="yes">
<source>The file says that {n} of its rows are missing. Records that are not in it stay as they are.</source>
<translation>
<numerusform>Laut der Datei fehlt {n} ihrer Zeilen. Datensätze, die nicht in ihr stehen, bleiben, wie sie sind.</numerusform>
<numerusform>Laut der Datei fehlen {n} ihrer Zeilen. Datensätze, die nicht in ihr stehen, bleiben, wie sie sind.</numerusform>
</translation>
</message>
<message>
<source>The first moment is after the second one</source>
<translation>Der erste Zeitpunkt liegt nach dem zweiten</translation>
</message>
<message>
<source>The first one: {reason}</source>
<translation>Der erste: {reason}</translation>
</message>
<message>
<source>The first {n} of {all}.</source>
<translation>Die ersten {n} von {all}.</translation>
</message>
<message>
<source>The history begins on {time}: nothing is known of these days.</source>
<translation>Der Verlauf beginnt am {time}: Von diesen Tagen ist nichts bekannt.</translation>
</message>
<message>
<source>The history begins with the first complete reading of the shop. Come back after it.</source>
<translation>Der Verlauf beginnt, wenn das Geschäft zum ersten Mal vollständig gelesen ist. Sehen Sie danach wieder nach.</translation>
</message>
<message>
<source>The history begins with the first reading.</source>
<translation>Der Verlauf beginnt mit dem ersten Lesen.</translation>
</message>
<message>
<source>The history cannot be read</source>
<translation>Der Verlauf kann nicht gelesen werden</translation>
</message>
<message>
<source>The history cannot be read: the report is made without it. {why}</source>
<translation>Der Verlauf kann nicht gelesen werden: Der Bericht wird ohne ihn erstellt. {why}</translation>
</message>
<message>
<source>The history does not go back so far</source>
<translation>So weit reicht der Verlauf nicht zurück</translation>
</message>
<message>
<source>The history of this shop cannot be recorded: {file} cannot be used.</source>
<translation>Der Verlauf dieses Geschäfts kann nicht aufgezeichnet werden: {file} kann nicht verwendet werden.</translation>
</message>
<message>
<source>The history of this shop is gone: {file}.</source>
<translation>Der Verlauf dieses Geschäfts ist nicht mehr vorhanden: {file}.</translation>
</message>
<message>
<source>The history of this shop was damaged. It is kept as {file}.</source>
<translation>Der Verlauf dieses Geschäfts war beschädigt. Er wird als {file} aufbewahrt.</translation>
</message>
<message>
<source>The key contains characters that cannot be sent. Nothing was sent.</source>
<translation>Der Schlüssel enthält Zeichen, die nicht gesendet werden können. Es wurde nichts gesendet.</translation>
</message>
<message>
<source>The key is banned: unsent changes go out when the program is open after {time}.</source>
<translation>Der Schlüssel ist gesperrt: Nicht gesendete Änderungen werden gesendet, wenn das Programm ab {time} geöffnet ist.</translation>
</message>
<message>
<source>The key is longer than 16,384 characters, which no service takes. Nothing was sent.</source>
<translation>Der Schlüssel ist länger als 16.384 Zeichen; so einen nimmt kein Dienst an. Es wurde nichts gesendet.</translation>
</message>
<message>
<source>The key is taken at {url}; at the address that you gave nothing asks for it.</source>
<translation>Der Schlüssel wird unter {url} angenommen; unter der angegebenen Adresse verlangt ihn nichts.</translation>
</message>
<message>
<source>The key may not read these lists: {lists}.</source>
<translation>Der Schlüssel darf diese Listen nicht lesen: {lists}.</translation>
</message>
<message>
<source>The key may not read this list: {lists}.</source>
<translation>Der Schlüssel darf diese Liste nicht lesen: {lists}.</translation>
</message>
<message>
<source>The keyring did not answer within five seconds, so there is no key; only the document was asked for.</source>
<translation>Der Schlüsselbund hat fünf Sekunden lang nicht geantwortet, daher gibt es keinen Schlüssel; nur das Dokument wurde abgefragt.</translation>
</message>
<message>
<source>The keyring did not answer within five seconds.</source>
<translation>Der Schlüsselbund hat nicht innerhalb von fünf Sekunden geantwortet.</translation>
</message>
<message>
<source>The keyring is locked, so there is no key; only the document was asked for.</source>
<translation>Der Schlüsselbund ist gesperrt, daher gibt es keinen Schlüssel; nur das Dokument wurde abgefragt.</translation>
</message>
<message>
<source>The keyring is locked.</source>
<translation>Der Schlüsselbund ist gesperrt.</translation>
</message>
<message>
<source>The keyring stopped while it was asked.</source>
<translation>Der Schlüsselbund wurde während der Abfrage beendet.</translation>
</message>
<message>
<source>The keyring took the key, but did not give it back.</source>
<translation>Der Schlüsselbund hat den Schlüssel angenommen, aber nicht wieder herausgegeben.</translation>
</message>
<message>
<source>The keys are sent in these headers or parameters: {names}.</source>
<translation>Die Schlüssel werden in diesen Headern oder Parametern gesendet: {names}.</translation>
</message>
<message>
<source>The labels need {limit} mm; the sheet is lower.</source>
<translation>Die Etiketten brauchen {limit} mm; das Blatt ist niedriger.</translation>
</message>
<message>
<source>The labels need {limit} mm; the sheet is narrower.</source>
<translation>Die Etiketten brauchen {limit} mm; das Blatt ist schmaler.</translation>
</message>
<message>
<source>The last act cannot be undone</source>
<translation>Der letzte Schritt kann nicht rückgängig gemacht werden</translation>
</message>
<message>
<source>The last requests of the minute are kept for what you ask for, and to read lists.</source>
<translation>Die letzten Anfragen der Minute sind für das reserviert, was Sie anfordern, und zum Lesen von Listen.</translation>
</message>
<message>
<source>The last step of the count is undone</source>
<translation>Der letzte Schritt der Zählung ist rückgängig gemacht</translation>
</message>
<message>
<source>The licence’s text is at {address}, the source of both at {source}.</source>
<translation>Der Text der Lizenz steht unter {address}, der Quelltext von beiden unter {source}.</translation>
</message>
<message>
<source>The list has no record with the id {id}</source>
<translation>Die Liste hat keinen Datensatz mit der ID {id}</translation>
</message>
<message>
<source>The list loads when the network is back. Your edits are kept.</source>
<translation>Die Liste wird geladen, sobald das Netzwerk wieder da ist. Ihre Eingaben bleiben erhalten.</translation>
</message>
<message>
<source>The list of earlier requests was damaged. It is kept as {file}.</source>
<translation>Die Liste früherer Anfragen war beschädigt. Sie wird als {file} aufbewahrt.</translation>
</message>
<message>
<source>The lists show what the service has. From now on, each change of this kind is looked at.</source>
<translation>Die Listen zeigen, was der Dienst hat. Ab jetzt wird jede Änderung dieser Art nachgesehen.</translation>
</message>
<message>
<source>The longest name</source>
<translation>Der längste Name</translation>
</message>
<message>
<source>The longest name, twice as large</source>
<translation>Der längste Name, doppelt so groß</translation>
</message>
<message>
<source>The name in this program.</source>
<translation>Der Name in diesem Programm.</translation>
</message>
<message>
<source>The network may be slow, or a firewall in between.</source>
<translation>Vielleicht ist das Netzwerk langsam oder eine Firewall steht dazwischen.</translation>
</message>
<message>
<source>The new key is used at once for all unsent changes.</source>
<translation>Der neue Schlüssel wird sofort für alle nicht gesendeten Änderungen verwendet.</translation>
</message>
<message>
<source>The next one is free at {time}.</source>
<translation>Die nächste ist um {time} frei.</translation>
</message>
<message>
<source>The numbers can be read in two ways: 1.200 is twelve hundred, or 1 and a fraction. Choose how they are written.</source>
<translation>Die Zahlen können auf zwei Arten gelesen werden: 1.200 ist eintausendzweihundert oder 1 mit Nachkommastellen. Wählen Sie, wie sie geschrieben sind.</translation>
</message>
<message>
<source>The order for {pet}</source>
<translation>Die Bestellung von {pet}</translation>
</message>
<message>
<source>The order for {quantity} {pet}</source>
<translation>Die Bestellung von {quantity} {pet}</translation>
</message>
<message>
<source>The orders</source>
<translation>Die Bestellungen</translation>
</message>
<message>
<source>The orders are not all on this computer, and all are needed to tell.</source>
<translation>Nicht alle Bestellungen sind auf diesem Computer, und dafür werden alle gebraucht.</translation>
</message>
<message>
<source>The other tabs work. If the list has another name, choose it in File &gt; Operations.</source>
<translation>Die anderen Tabs funktionieren. Wenn die Liste einen anderen Namen hat, wählen Sie sie unter Datei &gt; Operationen.</translation>
</message>
<message>
<source>The outbox is empty</source>
<translation>Der Postausgang ist leer</translation>
</message>
<message>
<source>The part of the program that talks to the service has ended.</source>
<translation>Der Teil des Programms, der mit dem Dienst spricht, wurde beendet.</translation>
</message>
<message>
<source>The pause could not be saved, the disk may be full: keep the window open until it ends.</source>
<translation>Die Pause konnte nicht gespeichert werden, vielleicht ist der Datenträger voll: Lassen Sie das Fenster offen, bis sie endet.</translation>
</message>
<message>
<source>The pet becomes {status}.</source>
<translation>Das Tier bekommt den Status {status}.</translation>
</message>
<message>
<source>The pets</source>
<translation>Die Tiere</translation>
</message>
<message>
<source>The pets are not all on this computer, and all are needed to tell.</source>
<translation>Nicht alle Tiere sind auf diesem Computer, und dafür werden alle gebraucht.</translation>
</message>
<message>
<source>The pets are still being read. Scan {code} again in a moment.</source>
<translation>Die Tiere werden noch gelesen. Scannen Sie {code} gleich noch einmal.</translation>
</message>
<message>
<source>The profile cannot be followed: {where}: {why}.</source>
<translation>Dem Profil kann nicht gefolgt werden: {where}: {why}.</translation>
</message>
<message>
<source>The profile is followed. Ask the service’s provider which is right, and correct the profile if it is not.</source>
<translation>Dem Profil wird gefolgt. Fragen Sie den Betreiber des Dienstes, was stimmt, und berichtigen Sie das Profil, wenn es falsch ist.</translation>
</message>
<message>
<source>The profile is in {file}.</source>
<translation>Das Profil ist in {file}.</translation>
</message>
<message>
<source>The profile says so.</source>
<translation>So sagt es das Profil.</translation>
</message>
<message>
<source>The program could not start.</source>
<translation>Das Programm konnte nicht gestartet werden.</translation>
</message>
<message>
<source>The program does not follow: neither the request nor the key was sent there.</source>
<translation>Das Programm folgt nicht: Weder die Anfrage noch der Schlüssel wurde dorthin gesendet.</translation>
</message>
<message>
<source>The program does not follow: nothing was sent there.</source>
<translation>Das Programm folgt nicht: Es wurde nichts dorthin gesendet.</translation>
</message>
<message>
<source>The program needs an id in each record, and the field names of the specification. Ask the service’s provider for such an address, or choose another list in File &gt; Operations.</source>
<translation>Das Programm braucht in jedem Datensatz eine ID und die Feldnamen der Spezifikation. Fragen Sie den Betreiber des Dienstes nach einer solchen Adresse oder wählen Sie unter Datei &gt; Operationen eine andere Liste.</translation>
</message>
<message>
<source>The program obeys every “wait”.</source>
<translation>Das Programm hält jede verlangte Wartezeit ein.</translation>
</message>
<message>
<source>The program reads {endpoint}, because of the fields of its answer. Its path does not name what it is, so nothing is changed there unless you choose it.</source>
<translation>Das Programm liest {endpoint} wegen der Felder der Antwort. Der Pfad nennt nicht, was es ist, deshalb wird dort nur etwas geändert, wenn Sie es wählen.</translation>
</message>
<message>
<source>The program sends one at a time and obeys every “wait”.</source>
<translation>Das Programm sendet immer nur eine Anfrage auf einmal und hält jede verlangte Wartezeit ein.</translation>
</message>
<message>
<source>The program that answers at {host} is not a web service.</source>
<translation>Das Programm, das unter {host} antwortet, ist kein Webdienst.</translation>
</message>
<message>
<source>The program tries again by itself.</source>
<translation>Das Programm versucht es automatisch wieder.</translation>
</message>
<message>
<source>The program uses {endpoint}, because you chose it.</source>
<translation>Das Programm verwendet {endpoint}, weil Sie es gewählt haben.</translation>
</message>
<message>
<source>The program uses {endpoint}: its path, and what it takes and answers, fit.</source>
<translation>Das Programm verwendet {endpoint}: Der Pfad, die Eingabe und die Antwort passen.</translation>
</message>
<message>
<source>The proxy that is set on this computer cannot be reached: {proxy}.</source>
<translation>Der auf diesem Computer eingestellte Proxy ist nicht erreichbar: {proxy}.</translation>
</message>
<message>
<source>The proxy that is set on this computer cannot be used by the program: {proxy}.</source>
<translation>Das Programm kann den auf diesem Computer eingestellten Proxy nicht verwenden: {proxy}.</translation>
</message>
<message>
<source>The proxy {proxy} blocks {host}.</source>
<translation>Der Proxy {proxy} blockiert diese Adresse: {host}.</translation>
</message>
<message>
<source>The proxy {proxy} cannot reach {host}.</source>
<translation>Für den Proxy {proxy} ist {host} nicht erreichbar.</translation>
</message>
<message>
<source>The proxy {proxy} did not let the request through to {host}.</source>
<translation>Der Proxy {proxy} hat die Anfrage nicht durchgelassen: {host}.</translation>
</message>
<message>
<source>The proxy {proxy} is not trusted: no secure connection to it is possible.</source>
<translation>Dem Proxy {proxy} wird nicht vertraut: Eine sichere Verbindung zu ihm ist nicht möglich.</translation>
</message>
<message>
<source>The proxy {proxy} needs a user name and password, or rejects those that are set.</source>
<translation>Der Proxy {proxy} braucht einen Benutzernamen und ein Passwort oder lehnt die eingestellten ab.</translation>
</message>
<message>
<source>The record is there, once. No other one is made before you send one again.</source>
<translation>Der Datensatz ist da, und zwar einmal. Es wird kein weiterer angelegt, bevor Sie einen erneut senden.</translation>
</message>
<message>
<source>The record was changed elsewhere in the meantime: {said}.</source>
<translation>Der Datensatz wurde inzwischen anderswo geändert: {said}.</translation>
</message>
<message>
<source>The rehearsal opens in a window of its own.</source>
<translation>Der Probelauf öffnet sich in einem eigenen Fenster.</translation>
</message>
<message>
<source>The rehearsal’s shop has stopped</source>
<translation>Das Geschäft des Probelaufs läuft nicht mehr</translation>
</message>
<message>
<source>The requests that the key allows are used up until {until}. Nothing is sent before.</source>
<translation>Die Anfragen, die der Schlüssel erlaubt, sind bis {until} aufgebraucht. Vorher wird nichts gesendet.</translation>
</message>
<message>
<source>The rest of today’s requests is kept for you.</source>
<translation>Der Rest der heutigen Anfragen ist für Sie reserviert.</translation>
</message>
<message>
<source>The rest of today’s requests is kept for you: changes go out when the program is open after {time}.</source>
<translation>Der Rest der heutigen Anfragen ist für Sie reserviert: Änderungen werden gesendet, wenn das Programm nach {time} offen ist.</translation>
</message>
<message>
<source>The rest works.</source>
<translation>Der Rest funktioniert.</translation>
</message>
<message>
<source>The rows have a new order: of {n} selected rows, only the current cell is still selected.</source>
<translation>Die Zeilen haben eine neue Reihenfolge: Von {n} ausgewählten Zeilen ist nur noch die aktuelle Zelle ausgewählt.</translation>
</message>
<message>
<source>The same</source>
<translation>Gleich</translation>
</message>
<message>
<source>The same number of each</source>
<translation>Von jedem gleich viele</translation>
</message>
<message>
<source>The same record as in row {row}.</source>
<translation>Derselbe Datensatz wie in Zeile {row}.</translation>
</message>
<message>
<source>The second moment can be the present one at most.</source>
<translation>Der zweite Zeitpunkt kann höchstens der jetzige sein.</translation>
</message>
<message>
<source>The service accepted it, to be done later. When the record was last looked at, it was not done yet.</source>
<translation>Der Dienst hat es angenommen, um es später auszuführen. Als der Datensatz zuletzt angesehen wurde, war es noch nicht geschehen.</translation>
</message>
<message>
<source>The service allows no more in a minute.</source>
<translation>Mehr erlaubt der Dienst in einer Minute nicht.</translation>
</message>
<message numerus="yes">
<source>The service allows {n} in a minute.</source>
<translation>
<numerusform>Der Dienst erlaubt {n} in einer Minute.</numerusform>
<numerusform>Der Dienst erlaubt {n} in einer Minute.</numerusform>
</translation>
</message>
<message>
<source>The service also demands {names}; it gets {values}.</source>
<translation>Der Dienst verlangt außerdem {names}; er bekommt {values}.</translation>
</message>
<message>
<source>The service answered with record {id}, which existed before. Check that record: it may be overwritten.</source>
<translation>Der Dienst hat mit Datensatz {id} geantwortet, den es schon vorher gab. Prüfen Sie diesen Datensatz: Er ist vielleicht überschrieben.</translation>
</message>
<message>
<source>The service answered {said}.</source>
<translation>Der Dienst hat geantwortet: {said}.</translation>
</message>
<message>
<source>The service answers without a key.</source>
<translation>Der Dienst antwortet ohne Schlüssel.</translation>
</message>
<message>
<source>The service asked to wait until {until}, which is unusually long: {message}. Nothing is sent before.</source>
<translation>Der Dienst hat gebeten, bis {until} zu warten, was ungewöhnlich lange ist: {message}. Vorher wird nichts gesendet.</translation>
</message>
<message>
<source>The service asked to wait until {until}: {message}. Nothing is sent before.</source>
<translation>Der Dienst hat gebeten, bis {until} zu warten: {message}. Vorher wird nichts gesendet.</translation>
</message>
<message>
<source>The service asks to wait: {said}.</source>
<translation>Der Dienst bittet zu warten: {said}.</translation>
</message>
<message>
<source>The service calls it beta: it may change.</source>
<translation>Der Dienst bezeichnet es als Beta: Es kann sich ändern.</translation>
</message>
<message>
<source>The service calls it experimental: it may change or go.</source>
<translation>Der Dienst bezeichnet es als experimentell: Es kann sich ändern oder entfallen.</translation>
</message>
<message>
<source>The service calls this beta: it may change.</source>
<translation>Der Dienst bezeichnet dies als Beta: Es kann sich ändern.</translation>
</message>
<message>
<source>The service calls this experimental: it may change or go.</source>
<translation>Der Dienst bezeichnet dies als experimentell: Es kann sich ändern oder entfallen.</translation>
</message>
<message>
<source>The service cannot be reached</source>
<translation>Der Dienst ist nicht erreichbar</translation>
</message>
<message>
<source>The service cannot be reached since {time}.</source>
<translation>Der Dienst ist seit {time} nicht erreichbar.</translation>
</message>
<message>
<source>The service cannot do this now: {said}.</source>
<translation>Der Dienst kann das jetzt nicht: {said}.</translation>
</message>
<message>
<source>The service could not be asked about the new key. It is kept, and tried when the service answers.</source>
<translation>Der Dienst konnte zu dem neuen Schlüssel nicht befragt werden. Der Schlüssel wird behalten und geprüft, sobald der Dienst antwortet.</translation>
</message>
<message>
<source>The service counts more than it shows.</source>
<translation>Der Dienst zählt mehr, als er zeigt.</translation>
</message>
<message>
<source>The service did not find this: the record is gone, or the way to it ({request}), which was to be removed on {day}.</source>
<translation>Der Dienst hat dies nicht gefunden: Der Datensatz ist nicht mehr vorhanden oder der Weg zu ihm ({request}), der am {day} entfernt werden sollte.</translation>
</message>
<message>
<source>The service does not accept the key</source>
<translation>Der Dienst akzeptiert den Schlüssel nicht</translation>
</message>
<message>
<source>The service does not accept the key {key}, which it wants for some operations: {message}.</source>
<translation>Der Dienst akzeptiert den Schlüssel {key} nicht, den er für einige Operationen verlangt: {message}.</translation>
</message>
<message>
<source>The service does not accept the key {key}: {message}.</source>
<translation>Der Dienst akzeptiert den Schlüssel {key} nicht: {message}.</translation>
</message>
<message>
<source>The service does not accept the key {key}: {said}.</source>
<translation>Der Dienst akzeptiert den Schlüssel {key} nicht: {said}.</translation>
</message>
<message>
<source>The service does not accept the key: unsent changes go out once a key works.</source>
<translation>Der Dienst akzeptiert den Schlüssel nicht: Nicht gesendete Änderungen werden gesendet, sobald ein Schlüssel gültig ist.</translation>
</message>
<message>
<source>The service does not accept the key: {message}.</source>
<translation>Der Dienst akzeptiert den Schlüssel nicht: {message}.</translation>
</message>
<message>
<source>The service does not accept the key: {said}.</source>
<translation>Der Dienst akzeptiert den Schlüssel nicht: {said}.</translation>
</message>
<message>
<source>The service does not have these lists: {lists}.</source>
<translation>Der Dienst hat diese Listen nicht: {lists}.</translation>
</message>
<message>
<source>The service does not have this list: {lists}.</source>
<translation>Der Dienst hat diese Liste nicht: {lists}.</translation>
</message>
<message>
<source>The service does not let this key read anything: {message}.</source>
<translation>Mit diesem Schlüssel lässt der Dienst nichts lesen: {message}.</translation>
</message>
<message>
<source>The service does not report it: ≈ is this computer’s own count, without other computers.</source>
<translation>Der Dienst meldet es nicht: ≈ hat dieser Computer selbst gezählt, ohne andere Computer.</translation>
</message>
<message>
<source>The service does not report the day: this is this computer’s own count.</source>
<translation>Der Dienst meldet den Tag nicht: Dies hat dieser Computer selbst gezählt.</translation>
</message>
<message>
<source>The service does not say how many requests are left.</source>
<translation>Der Dienst meldet nicht, wie viele Anfragen verbleiben.</translation>
</message>
<message>
<source>The service does not say how many requests it allows a day.</source>
<translation>Der Dienst meldet nicht, wie viele Anfragen er pro Tag erlaubt.</translation>
</message>
<message>
<source>The service does not say how many requests it allows a minute.</source>
<translation>Der Dienst meldet nicht, wie viele Anfragen er pro Minute erlaubt.</translation>
</message>
<message>
<source>The service does not say when there are more.</source>
<translation>Der Dienst meldet nicht, wann es wieder welche gibt.</translation>
</message>
<message>
<source>The service does not say which orders are open, and so not which are overdue.</source>
<translation>Der Dienst sagt nicht, welche Bestellungen offen sind, und damit nicht, welche überfällig sind.</translation>
</message>
<message>
<source>The service does not tell its time.</source>
<translation>Der Dienst meldet seine Uhrzeit nicht.</translation>
</message>
<message>
<source>The service failed (status {status}): {message}.</source>
<translation>Beim Dienst ist ein Fehler aufgetreten (Status {status}): {message}.</translation>
</message>
<message>
<source>The service failed: {said}.</source>
<translation>Beim Dienst ist ein Fehler aufgetreten: {said}.</translation>
</message>
<message>
<source>The service has banned this key for a while: {said}.</source>
<translation>Der Dienst hat diesen Schlüssel eine Zeit lang gesperrt: {said}.</translation>
</message>
<message>
<source>The service has banned this key until {until}: {message}. Nothing is sent before.</source>
<translation>Der Dienst hat diesen Schlüssel bis {until} gesperrt: {message}. Vorher wird nichts gesendet.</translation>
</message>
<message>
<source>The service has no list of categories. The program takes them from the pets at {endpoint}, which costs no request. A category without a pet is not shown.</source>
<translation>Der Dienst hat keine Liste der Kategorien. Das Programm entnimmt sie den Tieren unter {endpoint}, was keine Anfrage kostet. Eine Kategorie ohne Tier wird nicht angezeigt.</translation>
</message>
<message>
<source>The service has no such record any more: {said}.</source>
<translation>Der Dienst hat diesen Datensatz nicht mehr: {said}.</translation>
</message>
<message>
<source>The service has not said how many.</source>
<translation>Der Dienst hat nicht gemeldet, wie viele.</translation>
</message>
<message>
<source>The service has removed it.</source>
<translation>Der Dienst hat es entfernt.</translation>
</message>
<message>
<source>The service has removed this ({request}) on {day}.</source>
<translation>Der Dienst hat dies ({request}) am {day} entfernt.</translation>
</message>
<message>
<source>The service is not at {given}, but at {url}.</source>
<translation>Der Dienst ist nicht unter {given}, sondern unter {url}.</translation>
</message>
<message>
<source>The service is slow</source>
<translation>Der Dienst ist langsam</translation>
</message>
<message numerus="yes">
<source>The service is told to delete the orders, not to mark them as cancelled.</source>
<translation>
<numerusform>Der Dienst bekommt den Auftrag, die Bestellungen zu löschen, nicht, sie als storniert zu kennzeichnen.</numerusform>
<numerusform>Der Dienst bekommt den Auftrag, die Bestellungen zu löschen, nicht, sie als storniert zu kennzeichnen.</numerusform>
</translation>
</message>
<message>
<source>The service keeps its records below {scope}, and the address does not say which.</source>
<translation>Der Dienst führt seine Datensätze unter {scope}, und die Adresse sagt nicht, unter welchem Wert.</translation>
</message>
<message>
<source>The service may be down: try again later. Or its address has another port.</source>
<translation>Der Dienst ist vielleicht außer Betrieb: Versuchen Sie es später erneut. Oder seine Adresse hat einen anderen Port.</translation>
</message>
<message numerus="yes">
<source>The service may delete their pets too, with stock and orders, and undo does not bring those back. Pets that stay name a deleted category:</source>
<translation>
<numerusform>Der Dienst kann auch ihre Tiere mit Bestand und Bestellungen löschen; sie kommen durch Rückgängig nicht zurück. Tiere, die bleiben, verweisen auf eine gelöschte Kategorie:</numerusform>
<numerusform>Der Dienst kann auch ihre Tiere mit Bestand und Bestellungen löschen; sie kommen durch Rückgängig nicht zurück. Tiere, die bleiben, verweisen auf eine gelöschte Kategorie:</numerusform>
</translation>
</message>
<message numerus="yes">
<source>The service may delete their stock and orders too, and undo does not bring those back:</source>
<translation>
<numerusform>Der Dienst kann auch seinen Bestand und seine Bestellungen löschen; sie kommen durch Rückgängig nicht zurück:</numerusform>
<numerusform>Der Dienst kann auch ihren Bestand und ihre Bestellungen löschen; sie kommen durch Rückgängig nicht zurück:</numerusform>
</translation>
</message>
<message>
<source>The service needs a key</source>
<translation>Der Dienst braucht einen Schlüssel</translation>
</message>
<message>
<source>The service needs a key.</source>
<translation>Der Dienst braucht einen Schlüssel.</translation>
</message>
<message>
<source>The service needs a key. Until then you can read and edit the data on this computer.</source>
<translation>Der Dienst braucht einen Schlüssel. Bis dahin können Sie die Daten auf diesem Computer lesen und bearbeiten.</translation>
</message>
<message>
<source>The service needs values that its document does not give: {names}.</source>
<translation>Der Dienst braucht Werte, die sein Dokument nicht nennt: {names}.</translation>
</message>
<message>
<source>The service publishes its OpenAPI document: {named}.</source>
<translation>Der Dienst veröffentlicht sein OpenAPI-Dokument: {named}.</translation>
</message>
<message>
<source>The service publishes no document: the program’s own is used.</source>
<translation>Der Dienst veröffentlicht kein Dokument: Das Programm verwendet sein eigenes.</translation>
</message>
<message>
<source>The service publishes none. It answers at the standard paths, so the nine standard operations are used.</source>
<translation>Der Dienst veröffentlicht keines. Er antwortet unter den Standardpfaden, deshalb werden die neun Standardoperationen verwendet.</translation>
</message>
<message>
<source>The service redirects in a circle: from {target} back to the same address.</source>
<translation>Der Dienst leitet im Kreis weiter: von {target} zurück zur selben Adresse.</translation>
</message>
<message>
<source>The service redirects to another address: {target}.</source>
<translation>Der Dienst leitet an eine andere Adresse weiter: {target}.</translation>
</message>
<message>
<source>The service redirects to {target}. The program does not follow, so that the key goes nowhere else.</source>
<translation>Der Dienst leitet an {target} weiter. Das Programm folgt nicht, damit der Schlüssel nirgendwo anders hingelangt.</translation>
</message>
<message>
<source>The service redirects, but does not say where to.</source>
<translation>Der Dienst leitet weiter, sagt aber nicht, wohin.</translation>
</message>
<message>
<source>The service refused this: {said}.</source>
<translation>Der Dienst hat dies abgelehnt: {said}.</translation>
</message>
<message>
<source>The service refuses everything now and then</source>
<translation>Der Dienst lehnt hin und wieder alles ab</translation>
</message>
<message>
<source>The service refuses the request (status {status}): {message}.</source>
<translation>Der Dienst lehnt die Anfrage ab (Status {status}): {message}.</translation>
</message>
<message>
<source>The service said no, and the stock is as with your {booked} all the same. Either it was done, or somebody else booked the same.</source>
<translation>Der Dienst hat abgelehnt, und der Bestand ist trotzdem wie mit Ihrer Buchung {booked}. Entweder wurde sie ausgeführt, oder jemand anderes hat dasselbe gebucht.</translation>
</message>
<message>
<source>The service says “wait”. The program counts down and goes on by itself; you keep working.</source>
<translation>Der Dienst sagt „warten“. Das Programm zählt herunter und macht von selbst weiter; Sie arbeiten weiter.</translation>
</message>
<message>
<source>The service sent an empty answer instead of data.</source>
<translation>Der Dienst hat statt Daten eine leere Antwort gesendet.</translation>
</message>
<message numerus="yes">
<source>The service sent {n} records that this program cannot read; they are safe there.</source>
<translation>
<numerusform>Der Dienst hat {n} Datensatz gesendet, den dieses Programm nicht lesen kann; dort ist er sicher.</numerusform>
<numerusform>Der Dienst hat {n} Datensätze gesendet, die dieses Programm nicht lesen kann; dort sind sie sicher.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>The service shows at most {n} in one answer. The others are not here.</source>
<translation>
<numerusform>Der Dienst zeigt höchstens {n} in einer Antwort. Die übrigen sind nicht hier.</numerusform>
<numerusform>Der Dienst zeigt höchstens {n} in einer Antwort. Die übrigen sind nicht hier.</numerusform>
</translation>
</message>
<message>
<source>The service states its limits in a form that cannot be used: {header}.</source>
<translation>Der Dienst meldet seine Limits in einer Form, die nicht verwendet werden kann: {header}.</translation>
</message>
<message>
<source>The service takes no requests for {left}</source>
<translation>Der Dienst nimmt noch {left} keine Anfragen an</translation>
</message>
<message>
<source>The service takes requests only so quickly, or has just failed.</source>
<translation>Der Dienst nimmt Anfragen nur in diesem Tempo an, oder er ist gerade ausgefallen.</translation>
</message>
<message>
<source>The service takes the key.</source>
<translation>Der Dienst akzeptiert den Schlüssel.</translation>
</message>
<message>
<source>The service took the request, but did not answer in time.</source>
<translation>Der Dienst hat die Anfrage angenommen, aber nicht rechtzeitig geantwortet.</translation>
</message>
<message>
<source>The service wants another key too: {key}.</source>
<translation>Der Dienst verlangt noch einen weiteren Schlüssel: {key}.</translation>
</message>
<message>
<source>The service wants several keys. Put each where it belongs.</source>
<translation>Der Dienst verlangt mehrere Schlüssel. Geben Sie jeden an seiner Stelle ein.</translation>
</message>
<message>
<source>The service will withdraw it.</source>
<translation>Der Dienst wird es zurückziehen.</translation>
</message>
<message>
<source>The service withdraws it after {day}.</source>
<translation>Der Dienst zieht es nach dem {day} zurück.</translation>
</message>
<message>
<source>The service’s OpenAPI document cannot be used.</source>
<translation>Das OpenAPI-Dokument des Dienstes kann nicht verwendet werden.</translation>
</message>
<message>
<source>The service’s answer did not show that it was done. The program looks, and sends nothing twice.</source>
<translation>Die Antwort des Dienstes hat nicht gezeigt, dass es erledigt ist. Das Programm sieht nach und sendet nichts doppelt.</translation>
</message>
<message>
<source>The service’s clock and this computer’s agree.</source>
<translation>Die Uhren des Dienstes und dieses Computers stimmen überein.</translation>
</message>
<message>
<source>The service’s clock is {ahead}</source>
<translation>Die Uhr des Dienstes geht {ahead}</translation>
</message>
<message>
<source>The service’s clock is {length} {way} this computer’s.</source>
<translation>Die Uhr des Dienstes geht gegenüber diesem Computer {length} {way}.</translation>
</message>
<message>
<source>The service’s document has no operation for this.</source>
<translation>Das Dokument des Dienstes hat dafür keine Operation.</translation>
</message>
<message>
<source>The service’s own document differs from the profile that this connection follows: {differences}.</source>
<translation>Das Dokument des Dienstes weicht von dem Profil ab, dem diese Verbindung folgt: {differences}.</translation>
</message>
<message>
<source>The service’s provider must turn on TLS 1.2 or later.</source>
<translation>Der Betreiber des Dienstes muss TLS 1.2 oder neuer einschalten.</translation>
</message>
<message>
<source>The shop has not been read since {time}.</source>
<translation>Das Geschäft wurde seit {time} nicht gelesen.</translation>
</message>
<message>
<source>The shop reopens with the new settings. Unsent changes are kept.</source>
<translation>Das Geschäft wird mit den neuen Einstellungen wieder geöffnet. Nicht gesendete Änderungen bleiben erhalten.</translation>
</message>
<message>
<source>The status of a stock entry is set by the service.</source>
<translation>Den Status eines Bestandseintrags setzt der Dienst.</translation>
</message>
<message>
<source>The stock</source>
<translation>Die Bestände</translation>
</message>
<message>
<source>The stock at the end of these days is not known.</source>
<translation>Der Bestand am Ende dieser Tage ist nicht bekannt.</translation>
</message>
<message>
<source>The stock is not all on this computer, and all of it is needed to tell.</source>
<translation>Nicht der gesamte Bestand ist auf diesem Computer, und dafür wird er ganz gebraucht.</translation>
</message>
<message>
<source>The stock of new pets is left out.</source>
<translation>Der Bestand neuer Tiere wird ausgelassen.</translation>
</message>
<message>
<source>The stock of this pet has not been read.</source>
<translation>Der Bestand dieses Tiers wurde nicht gelesen.</translation>
</message>
<message>
<source>The stock of {name} is no longer there</source>
<translation>Der Bestand von {name} ist nicht mehr vorhanden</translation>
</message>
<message numerus="yes">
<source>The stock of {n} new pets is left out.</source>
<translation>
<numerusform>Der Bestand von {n} neuen Tier wird ausgelassen.</numerusform>
<numerusform>Der Bestand von {n} neuen Tieren wird ausgelassen.</numerusform>
</translation>
</message>
<message>
<source>The texts of all licences, what each is for, where the source of Qt is and how it is replaced: {folder}</source>
<translation>Die Texte aller Lizenzen, wofür jede gilt, wo der Quelltext von Qt ist und wie es ersetzt wird: {folder}</translation>
</message>
<message>
<source>The view {name} is deleted</source>
<translation>Die Ansicht {name} ist gelöscht</translation>
</message>
<message>
<source>The wait is over: a test request checks whether sending may resume</source>
<translation>Die Wartezeit ist vorüber: Eine Testanfrage prüft, ob das Senden fortgesetzt werden kann</translation>
</message>
<message>
<source>The&amp;n by this, descending</source>
<translation>Zusä&amp;tzlich absteigend</translation>
</message>
<message>
<source>Theirs</source>
<translation>Fremder Wert</translation>
</message>
<message>
<source>Theirs may include it already. Keep mine adds it to theirs.</source>
<translation>Der fremde Wert enthält Ihre Buchung vielleicht schon. „Eigenen behalten“ rechnet sie noch dazu.</translation>
</message>
<message>
<source>Theme</source>
<translation>Design</translation>
</message>
<message>
<source>Then</source>
<translation>Vorher</translation>
</message>
<message>
<source>Then print labels</source>
<translation>Danach Etiketten drucken</translation>
</message>
<message>
<source>Then → Now</source>
<translation>Vorher → Jetzt</translation>
</message>
<message>
<source>There are no categories; the pets get none.</source>
<translation>Es gibt keine Kategorien; die Tiere bekommen keine.</translation>
</message>
<message>
<source>There are no labels to print.</source>
<translation>Es gibt keine Etiketten zu drucken.</translation>
</message>
<message>
<source>There is a document, but {url} has none of the paths that it names.</source>
<translation>Es gibt ein Dokument, aber {url} hat keinen der Pfade, die es nennt.</translation>
</message>
<message>
<source>There is no category #{id}.</source>
<translation>Es gibt keine Kategorie #{id}.</translation>
</message>
<message>
<source>There is no category {id} at the service</source>
<translation>Beim Dienst gibt es keine Kategorie {id}</translation>
</message>
<message>
<source>There is no category {name}.</source>
<translation>Es gibt keine Kategorie {name}.</translation>
</message>
<message>
<source>There is no column with ids: every row is a new record.</source>
<translation>Es gibt keine Spalte mit IDs: Jede Zeile ist ein neuer Datensatz.</translation>
</message>
<message>
<source>There is no computer called {host}.</source>
<translation>Es gibt keinen Computer mit dem Namen {host}.</translation>
</message>
<message>
<source>There is no connection yet. {command} makes one.</source>
<translation>Es gibt noch keine Verbindung. {command} legt eine an.</translation>
</message>
<message>
<source>There is no history yet</source>
<translation>Es gibt noch keinen Verlauf</translation>
</message>
<message>
<source>There is no history yet: what was before is not known.</source>
<translation>Es gibt noch keinen Verlauf: Was vorher war, ist nicht bekannt.</translation>
</message>
<message>
<source>There is no key for this connection, so nothing else was checked.</source>
<translation>Für diese Verbindung gibt es keinen Schlüssel, deshalb wurde sonst nichts geprüft.</translation>
</message>
<message>
<source>There is no key yet, so nothing is sent (File &gt; Change key).</source>
<translation>Es gibt noch keinen Schlüssel, deshalb wird nichts gesendet (Datei &gt; Schlüssel ändern).</translation>
</message>
<message>
<source>There is no order {id} at the service</source>
<translation>Beim Dienst gibt es keine Bestellung {id}</translation>
</message>
<message>
<source>There is no pet #{id}.</source>
<translation>Es gibt kein Tier #{id}.</translation>
</message>
<message>
<source>There is no pet {id} at the service</source>
<translation>Beim Dienst gibt es kein Tier {id}</translation>
</message>
<message>
<source>There is no pet {name}.</source>
<translation>Es gibt kein Tier {name}.</translation>
</message>
<message>
<source>There is no record #{id}. Leave the id empty for a new one.</source>
<translation>Es gibt keinen Datensatz #{id}. Lassen Sie die ID für einen neuen leer.</translation>
</message>
<message>
<source>There is no stock entry for this pet.</source>
<translation>Für dieses Tier gibt es keinen Bestandseintrag.</translation>
</message>
<message>
<source>There is no stock of pet {id} at the service</source>
<translation>Beim Dienst gibt es keinen Bestand von Tier {id}</translation>
</message>
<message>
<source>There is no stock.</source>
<translation>Es gibt keinen Bestand.</translation>
</message>
<message>
<source>There is no such category.</source>
<translation>Diese Kategorie gibt es nicht.</translation>
</message>
<message>
<source>There is no such file: {file}.</source>
<translation>Diese Datei gibt es nicht: {file}.</translation>
</message>
<message>
<source>There is no such folder: {file}.</source>
<translation>Diesen Ordner gibt es nicht: {file}.</translation>
</message>
<message>
<source>There is no such pet.</source>
<translation>Dieses Tier gibt es nicht.</translation>
</message>
<message>
<source>There is no such status.</source>
<translation>Diesen Status gibt es nicht.</translation>
</message>
<message>
<source>There is no view in the file</source>
<translation>In der Datei ist keine Ansicht</translation>
</message>
<message>
<source>There is no view with the key {key}.</source>
<translation>Es gibt keine Ansicht mit der Taste {key}.</translation>
</message>
<message>
<source>There is none yet; this one is added with the pets.</source>
<translation>Es gibt noch keine; diese wird mit den Tieren angelegt.</translation>
</message>
<message>
<source>There is nothing left of it to redo</source>
<translation>Davon kann nichts mehr wiederholt werden</translation>
</message>
<message>
<source>There is nothing left of it to undo</source>
<translation>Davon kann nichts mehr rückgängig gemacht werden</translation>
</message>
<message>
<source>There is nothing left to correct here.</source>
<translation>Hier ist nichts mehr zu korrigieren.</translation>
</message>
<message>
<source>There is nothing to go back to.</source>
<translation>Es gibt nichts, zu dem Sie zurückgehen können.</translation>
</message>
<message>
<source>There is nothing to go forward to.</source>
<translation>Es gibt nichts, zu dem Sie vorwärtsgehen können.</translation>
</message>
<message>
<source>There is nothing to keep: no change was made that went well.</source>
<translation>Es gibt nichts zu behalten: Keine Änderung ist gelungen.</translation>
</message>
<message>
<source>There is nothing to redo.</source>
<translation>Es gibt nichts zu wiederholen.</translation>
</message>
<message>
<source>There is nothing to undo.</source>
<translation>Es gibt nichts rückgängig zu machen.</translation>
</message>
<message>
<source>There is stock for all open orders</source>
<translation>Für alle offenen Bestellungen ist Bestand da</translation>
</message>
<message>
<source>These lists cannot be read: {lists}.</source>
<translation>Diese Listen können nicht gelesen werden: {lists}.</translation>
</message>
<message>
<source>They are in the list, as the service has them. Nothing is deleted again by itself.</source>
<translation>Sie stehen in der Liste, wie der Dienst sie hat. Von selbst wird nichts noch einmal gelöscht.</translation>
</message>
<message>
<source>They are kept, and are not sent to this service.</source>
<translation>Sie werden aufbewahrt und nicht an diesen Dienst gesendet.</translation>
</message>
<message numerus="yes">
<source>They go out at the next start ({minutes}).</source>
<translation>
<numerusform>Sie wird beim nächsten Start gesendet ({minutes}).</numerusform>
<numerusform>Sie werden beim nächsten Start gesendet ({minutes}).</numerusform>
</translation>
</message>
<message numerus="yes">
<source>They go out at the next start.</source>
<translation>
<numerusform>Sie wird beim nächsten Start gesendet.</numerusform>
<numerusform>Sie werden beim nächsten Start gesendet.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>They go out once you have entered the key again: this computer has no keyring that keeps it.</source>
<translation>
<numerusform>Sie werden gesendet, sobald Sie den Schlüssel wieder eingegeben haben: Dieser Computer hat keinen Schlüsselbund, der ihn aufbewahrt.</numerusform>
<numerusform>Sie werden gesendet, sobald Sie den Schlüssel wieder eingegeben haben: Dieser Computer hat keinen Schlüsselbund, der ihn aufbewahrt.</numerusform>
</translation>
</message>
<message>
<source>This address belongs to another server than the service’s own.</source>
<translation>Diese Adresse gehört zu einem anderen Server als dem des Dienstes.</translation>
</message>
<message>
<source>This cannot be checked now</source>
<translation>Dies kann jetzt nicht geprüft werden</translation>
</message>
<message>
<source>This cannot be edited.</source>
<translation>Dies kann nicht bearbeitet werden.</translation>
</message>
<message>
<source>This cannot be understood.</source>
<translation>Dies ist nicht verständlich.</translation>
</message>
<message>
<source>This cannot be understood: {text}</source>
<translation>Dies ist nicht verständlich: {text}</translation>
</message>
<message>
<source>This cannot be undone.</source>
<translation>Das lässt sich nicht rückgängig machen.</translation>
</message>
<message>
<source>This code cannot be remembered yet</source>
<translation>Dieser Code kann noch nicht gemerkt werden</translation>
</message>
<message>
<source>This computer first read the whole shop on {time}; nothing is known from before.</source>
<translation>Zum ersten Mal hat dieser Computer das ganze Geschäft zu dieser Zeit gelesen: {time}. Von davor ist nichts bekannt.</translation>
</message>
<message>
<source>This computer has no keyring that can store a key.</source>
<translation>Dieser Computer hat keinen Schlüsselbund, der einen Schlüssel speichern kann.</translation>
</message>
<message>
<source>This computer has no keyring that keeps secrets, so there is no key; only the document was asked for.</source>
<translation>Dieser Computer hat keinen Schlüsselbund, der Geheimnisse aufbewahrt, daher gibt es keinen Schlüssel; nur das Dokument wurde abgefragt.</translation>
</message>
<message>
<source>This computer has no printer. Save a PDF instead.</source>
<translation>Dieser Computer hat keinen Drucker. Speichern Sie stattdessen ein PDF.</translation>
</message>
<message numerus="yes">
<source>This computer sent about {n} of them, other programs with the same key the rest.</source>
<translation>
<numerusform>Dieser Computer hat davon etwa {n} gesendet, andere Programme mit demselben Schlüssel den Rest.</numerusform>
<numerusform>Dieser Computer hat davon etwa {n} gesendet, andere Programme mit demselben Schlüssel den Rest.</numerusform>
</translation>
</message>
<message>
<source>This computer trusts the certificate.</source>
<translation>Dieser Computer vertraut dem Zertifikat.</translation>
</message>
<message>
<source>This computer’s keyring refused the request.</source>
<translation>Der Schlüsselbund dieses Computers hat die Anfrage abgelehnt.</translation>
</message>
<message>
<source>This computer’s time; the service’s clock is {ahead}.</source>
<translation>Uhrzeit dieses Computers; die Uhr des Dienstes geht {ahead}.</translation>
</message>
<message>
<source>This connection is read-only (File &gt; Connection settings).</source>
<translation>Diese Verbindung ist nur zum Lesen (Datei &gt; Verbindungseinstellungen).</translation>
</message>
<message>
<source>This could not be checked.</source>
<translation>Dies konnte nicht geprüft werden.</translation>
</message>
<message>
<source>This count is closed. Begin a new one to count.</source>
<translation>Diese Zählung ist abgeschlossen. Beginnen Sie eine neue, um zu zählen.</translation>
</message>
<message>
<source>This date can be read in two ways.</source>
<translation>Dieses Datum kann auf zwei Arten gelesen werden.</translation>
</message>
<message>
<source>This date cannot be read. The service wrote: {raw}</source>
<translation>Dieses Datum kann nicht gelesen werden. Der Dienst schrieb: {raw}</translation>
</message>
<message>
<source>This day is still to come.</source>
<translation>Dieser Tag liegt noch in der Zukunft.</translation>
</message>
<message>
<source>This file is empty.</source>
<translation>Diese Datei ist leer.</translation>
</message>
<message>
<source>This file is too large. Nothing was imported. Split it, and import the parts.</source>
<translation>Diese Datei ist zu groß. Es wurde nichts importiert. Teilen Sie sie auf und importieren Sie die Teile.</translation>
</message>
<message>
<source>This is a PDF, not a table.</source>
<translation>Dies ist ein PDF, keine Tabelle.</translation>
</message>
<message>
<source>This is a compressed file. Unpack it, and import the table in it.</source>
<translation>Dies ist eine komprimierte Datei. Entpacken Sie sie und importieren Sie die Tabelle darin.</translation>
</message>
<message>
<source>This is a database, not a table.</source>
<translation>Dies ist eine Datenbank, keine Tabelle.</translation>
</message>
<message>
<source>This is a picture, not a table.</source>
<translation>Dies ist ein Bild, keine Tabelle.</translation>
</message>
<message>
<source>This is a program, not a table.</source>
<translation>Dies ist ein Programm, keine Tabelle.</translation>
</message>
<message>
<source>This is before the first day.</source>
<translation>Das liegt vor dem ersten Tag.</translation>
</message>
<message>
<source>This is being deleted.</source>
<translation>Dies wird gerade gelöscht.</translation>
</message>
<message>
<source>This is being sent and cannot be discarded now. What became of it is shown shortly.</source>
<translation>Dies wird gerade gesendet und kann jetzt nicht verworfen werden. Was daraus wurde, wird in Kürze angezeigt.</translation>
</message>
<message>
<source>This is less than the limit per minute. Please check.</source>
<translation>Das ist weniger als das Limit pro Minute. Bitte prüfen Sie es.</translation>
</message>
<message>
<source>This is not a complete file of bar codes: {file}.</source>
<translation>Dies ist keine vollständige Datei mit Barcodes: {file}.</translation>
</message>
<message>
<source>This is not a complete file of views: {file}.</source>
<translation>Dies ist keine vollständige Datei mit Ansichten: {file}.</translation>
</message>
<message>
<source>This is not a text file, so it has no table to read.</source>
<translation>Dies ist keine Textdatei, also enthält sie keine lesbare Tabelle.</translation>
</message>
<message>
<source>This is not an OpenAPI document.</source>
<translation>Dies ist kein OpenAPI-Dokument.</translation>
</message>
<message>
<source>This is not an OpenAPI document: it does not say which version of OpenAPI it follows.</source>
<translation>Dies ist kein OpenAPI-Dokument: Es sagt nicht, welcher Version von OpenAPI es folgt.</translation>
</message>
<message>
<source>This is not an id.</source>
<translation>Dies ist keine ID.</translation>
</message>
<message>
<source>This is not sent yet: there is nothing to ask the service for.</source>
<translation>Dies ist noch nicht gesendet: Der Dienst kann noch nicht danach gefragt werden.</translation>
</message>
<message>
<source>This is not the address of a service.</source>
<translation>Dies ist nicht die Adresse eines Dienstes.</translation>
</message>
<message>
<source>This is not the address of a service. Nothing was sent.</source>
<translation>Dies ist nicht die Adresse eines Dienstes. Es wurde nichts gesendet.</translation>
</message>
<message>
<source>This is not the address of a service; one begins with https://.</source>
<translation>Dies ist nicht die Adresse eines Dienstes; eine solche beginnt mit https://.</translation>
</message>
<message>
<source>This is unusually long: ask the service’s provider. The program waits.</source>
<translation>Das ist ungewöhnlich lange: Fragen Sie den Betreiber des Dienstes. Das Programm wartet.</translation>
</message>
<message>
<source>This is worked out. Enter the minimum and “Order up to” in the columns before it.</source>
<translation>Das wird berechnet. Geben Sie in den Spalten davor das Minimum ein, und bis zu wie vielen Sie auffüllen.</translation>
</message>
<message>
<source>This key contains characters that cannot be sent. Copy it again.</source>
<translation>Dieser Schlüssel enthält Zeichen, die nicht gesendet werden können. Kopieren Sie ihn noch einmal.</translation>
</message>
<message>
<source>This key is banned already; another request may make the ban longer.</source>
<translation>Dieser Schlüssel ist schon gesperrt; eine weitere Anfrage kann die Sperre verlängern.</translation>
</message>
<message>
<source>This key is banned for a while. Another key for the same service waits as long.</source>
<translation>Dieser Schlüssel ist eine Zeit lang gesperrt. Ein anderer Schlüssel für denselben Dienst wartet ebenso lange.</translation>
</message>
<message>
<source>This key is banned: nothing is sent before {time} (in {left})</source>
<translation>Dieser Schlüssel ist gesperrt: Bis {time} wird nichts gesendet (noch {left})</translation>
</message>
<message>
<source>This key is longer than 16,384 characters, which no service takes. Copy it again.</source>
<translation>Dieser Schlüssel ist länger als 16.384 Zeichen; so einen nimmt kein Dienst an. Kopieren Sie ihn noch einmal.</translation>
</message>
<message>
<source>This key may not do this: {said}.</source>
<translation>Dieser Schlüssel darf das nicht: {said}.</translation>
</message>
<message>
<source>This list cannot be read: {lists}.</source>
<translation>Diese Liste kann nicht gelesen werden: {lists}.</translation>
</message>
<message>
<source>This may be the address of a website: ask for the address of the API. Or the network wants you to sign in first: open the address in a browser.</source>
<translation>Dies ist vielleicht die Adresse einer Website: Fragen Sie nach der Adresse der API. Oder das Netzwerk verlangt zuerst eine Anmeldung: Öffnen Sie die Adresse in einem Browser.</translation>
</message>
<message>
<source>This minute’s requests are used up: it goes on in {left}</source>
<translation>Die Anfragen dieser Minute sind aufgebraucht: weiter in {left}</translation>
</message>
<message>
<source>This month</source>
<translation>Dieser Monat</translation>
</message>
<message>
<source>This number can be read in two ways.</source>
<translation>Diese Zahl kann auf zwei Arten gelesen werden.</translation>
</message>
<message>
<source>This number is too large for the service.</source>
<translation>Diese Zahl ist für den Dienst zu groß.</translation>
</message>
<message>
<source>This number is too large.</source>
<translation>Diese Zahl ist zu groß.</translation>
</message>
<message>
<source>This order</source>
<translation>Diese Bestellung</translation>
</message>
<message>
<source>This order has no id: it can only be read.</source>
<translation>Diese Bestellung hat keine ID: Sie kann nur gelesen werden.</translation>
</message>
<message>
<source>This order is complete already.</source>
<translation>Diese Bestellung ist schon erledigt.</translation>
</message>
<message>
<source>This pet is {status}.</source>
<translation>Dieses Tier ist {status}.</translation>
</message>
<message>
<source>This record is gone.</source>
<translation>Dieser Datensatz ist nicht mehr vorhanden.</translation>
</message>
<message>
<source>This removes its key from the keyring and its data from this computer: the copy of its lists, the history, your views and minimum stock.</source>
<translation>Dies löscht den Schlüssel aus dem Schlüsselbund und die Daten von diesem Computer: die Kopie der Listen, den Verlauf, Ihre Ansichten und Mindestbestände.</translation>
</message>
<message>
<source>This replaces the view {name}.</source>
<translation>Dies ersetzt die Ansicht {name}.</translation>
</message>
<message>
<source>This service does not delete them: once sent, this cannot be undone.</source>
<translation>Dieser Dienst löscht sie nicht: Nach dem Senden kann dies nicht rückgängig gemacht werden.</translation>
</message>
<message>
<source>This service does not offer that.</source>
<translation>Dieser Dienst bietet das nicht an.</translation>
</message>
<message>
<source>This service signs people in elsewhere. Paste an access token.</source>
<translation>Bei diesem Dienst meldet man sich an anderer Stelle an. Fügen Sie ein Zugriffstoken ein.</translation>
</message>
<message>
<source>This shop has no categories yet</source>
<translation>Dieses Geschäft hat noch keine Kategorien</translation>
</message>
<message>
<source>This shop has no orders</source>
<translation>Dieses Geschäft hat keine Bestellungen</translation>
</message>
<message>
<source>This shop has no pets yet</source>
<translation>Dieses Geschäft hat noch keine Tiere</translation>
</message>
<message>
<source>This shop has no stock entries</source>
<translation>Dieses Geschäft hat keine Bestandseinträge</translation>
</message>
<message>
<source>This shop has not been read yet: what is in it is not known.</source>
<translation>Dieses Geschäft wurde noch nicht gelesen: Was darin ist, ist nicht bekannt.</translation>
</message>
<message>
<source>This shop is empty. Add its first pet under Pets.</source>
<translation>Dieses Geschäft ist leer. Legen Sie unter Tiere sein erstes Tier an.</translation>
</message>
<message>
<source>This takes more than half of the requests that are left for today.</source>
<translation>Dies braucht mehr als die Hälfte der Anfragen, die heute noch übrig sind.</translation>
</message>
<message>
<source>This text can be read in several ways.</source>
<translation>Dieser Text lässt sich auf mehrere Arten lesen.</translation>
</message>
<message>
<source>This value cannot be sent.</source>
<translation>Dieser Wert kann nicht gesendet werden.</translation>
</message>
<message>
<source>This week</source>
<translation>Diese Woche</translation>
</message>
<message>
<source>This workbook cannot be read. Save it as XLSX or CSV, and import that.</source>
<translation>Diese Arbeitsmappe kann nicht gelesen werden. Speichern Sie sie als XLSX oder CSV und importieren Sie diese Datei.</translation>
</message>
<message>
<source>This workbook is old or has a password. Save it as XLSX or CSV, and import that.</source>
<translation>Diese Arbeitsmappe ist zu alt oder hat ein Passwort. Speichern Sie sie als XLSX oder CSV und importieren Sie diese Datei.</translation>
</message>
<message>
<source>Throw away</source>
<translation>Verwerfen</translation>
</message>
<message>
<source>Throw them away</source>
<translation>Verwerfen</translation>
</message>
<message>
<source>Time</source>
<translation>Zeit</translation>
</message>
<message>
<source>Times are this computer’s; the service’s clock is {ahead}.</source>
<translation>Die Zeiten sind die dieses Computers; die Uhr des Dienstes geht {ahead}.</translation>
</message>
<message>
<source>To</source>
<translation>Bis</translation>
</message>
<message>
<source>To change</source>
<translation>Zu ändern</translation>
</message>
<message>
<source>To come</source>
<translation>Künftig</translation>
</message>
<message>
<source>To count</source>
<translation>Zu zählen</translation>
</message>
<message>
<source>To order</source>
<translation>Zu bestellen</translation>
</message>
<message>
<source>To report it, copy the details. Then continue.</source>
<translation>Um den Fehler zu melden, kopieren Sie die Einzelheiten. Fahren Sie dann fort.</translation>
</message>
<message>
<source>To send them, connect to that address again.</source>
<translation>Um sie zu senden, verbinden Sie sich wieder mit der früheren Adresse.</translation>
</message>
<message>
<source>To set one, select pets, stock or categories, then choose Shop &gt; Minimum stock.</source>
<translation>Um einen festzulegen, wählen Sie Tiere, Bestand oder Kategorien aus und dann Geschäft &gt; Mindestbestand.</translation>
</message>
<message>
<source>Today</source>
<translation>Heute</translation>
</message>
<message numerus="yes">
<source>Today’s requests are not enough for this. The rest is saved on this computer, and goes out by itself on the next {n} days.</source>
<translation>
<numerusform>Die heutigen Anfragen reichen dafür nicht. Der Rest ist auf diesem Computer gespeichert und wird am nächsten Tag automatisch gesendet.</numerusform>
<numerusform>Die heutigen Anfragen reichen dafür nicht. Der Rest ist auf diesem Computer gespeichert und wird in den nächsten {n} Tagen automatisch gesendet.</numerusform>
</translation>
</message>
<message>
<source>Today’s requests are used up</source>
<translation>Die heutigen Anfragen sind aufgebraucht</translation>
</message>
<message>
<source>Today’s requests are used up: changes go out when the program is open after {time}.</source>
<translation>Die heutigen Anfragen sind aufgebraucht: Änderungen werden gesendet, wenn das Programm ab {time} geöffnet ist.</translation>
</message>
<message numerus="yes">
<source>Today’s {n} requests are used up</source>
<translation>
<numerusform>Die einzige Anfrage für heute ist aufgebraucht</numerusform>
<numerusform>Die heutigen {n} Anfragen sind aufgebraucht</numerusform>
</translation>
</message>
<message>
<source>Tomorrow</source>
<translation>Morgen</translation>
</message>
<message>
<source>Too large.</source>
<translation>Zu groß.</translation>
</message>
<message>
<source>Too small.</source>
<translation>Zu klein.</translation>
</message>
<message>
<source>Took</source>
<translation>Dauer</translation>
</message>
<message>
<source>Took, s</source>
<translation>Dauer, s</translation>
</message>
<message>
<source>Treat scans as typing</source>
<translation>Scans wie Tippen behandeln</translation>
</message>
<message>
<source>Try again</source>
<translation>Erneut versuchen</translation>
</message>
<message>
<source>Try again later.</source>
<translation>Versuchen Sie es später erneut.</translation>
</message>
<message>
<source>Try again later. If it keeps failing, ask the service’s provider.</source>
<translation>Versuchen Sie es später erneut. Wenn es weiter nicht gelingt, fragen Sie den Betreiber des Dienstes.</translation>
</message>
<message>
<source>Try again later. If it keeps failing, tell the service’s provider.</source>
<translation>Versuchen Sie es später erneut. Wenn es weiter nicht gelingt, informieren Sie den Betreiber des Dienstes.</translation>
</message>
<message>
<source>Try again, or see the server response.</source>
<translation>Versuchen Sie es erneut oder sehen Sie sich die Serverantwort an.</translation>
</message>
<message>
<source>Try again.</source>
<translation>Versuchen Sie es erneut.</translation>
</message>
<message>
<source>Try again. If it fails again, ask the service’s provider.</source>
<translation>Versuchen Sie es erneut. Wenn es wieder nicht gelingt, fragen Sie den Betreiber des Dienstes.</translation>
</message>
<message>
<source>Try again. If it fails again, check the network and the address.</source>
<translation>Versuchen Sie es erneut. Wenn es wieder nicht gelingt, prüfen Sie das Netzwerk und die Adresse.</translation>
</message>
<message>
<source>Try again. If it happens often, check the network or the proxy.</source>
<translation>Versuchen Sie es erneut. Wenn es öfter vorkommt, prüfen Sie das Netzwerk oder den Proxy.</translation>
</message>
<message>
<source>Try the demo shop</source>
<translation>Demo-Geschäft ausprobieren</translation>
</message>
<message>
<source>Type +12 into a stock, and Enter: saved on this computer first, then sent, once.</source>
<translation>+12 in einen Bestand tippen und Enter: zuerst auf diesem Computer gespeichert, dann gesendet, einmal.</translation>
</message>
<message>
<source>Type a name or an id</source>
<translation>Geben Sie einen Namen oder eine ID ein</translation>
</message>
<message>
<source>Type a pet’s name or id.</source>
<translation>Geben Sie Namen oder ID eines Tiers ein.</translation>
</message>
<message>
<source>Type in a cell to replace its value; +12 adds, =40 sets.</source>
<translation>Tippen Sie in einer Zelle, um ihren Wert zu ersetzen; +12 addiert, =40 setzt.</translation>
</message>
<message>
<source>Type it in the column Minimum, or select categories and choose Shop &gt; Minimum stock.</source>
<translation>Geben Sie ihn in der Spalte Minimum ein, oder wählen Sie Kategorien aus und dann Geschäft &gt; Mindestbestand.</translation>
</message>
<message>
<source>UTF-16, other byte order</source>
<translation>UTF-16, andere Byte-Reihenfolge</translation>
</message>
<message>
<source>Unconfirmed</source>
<translation>Unbestätigt</translation>
</message>
<message>
<source>Undo</source>
<translation>Rückgängig</translation>
</message>
<message>
<source>Undo these changes</source>
<translation>Diese Änderungen rückgängig machen</translation>
</message>
<message>
<source>Undo what was before</source>
<translation>Den Schritt davor rückgängig machen</translation>
</message>
<message>
<source>Undo: {what}</source>
<translation>Rückgängig: {what}</translation>
</message>
<message>
<source>Undone {time}, never sent.</source>
<translation>Rückgängig gemacht {time}, nie gesendet.</translation>
</message>
<message>
<source>Undone {time}.</source>
<translation>Rückgängig gemacht {time}.</translation>
</message>
<message>
<source>Undone {time}; the service had refused it.</source>
<translation>Rückgängig gemacht {time}; der Dienst hatte es abgelehnt.</translation>
</message>
<message>
<source>Undone: {what}</source>
<translation>Rückgängig gemacht: {what}</translation>
</message>
<message>
<source>Unexpected error: {name}.</source>
<translation>Unerwarteter Fehler: {name}.</translation>
</message>
<message>
<source>Unfr&amp;eeze columns</source>
<translation>Fi&amp;xierung aufheben</translation>
</message>
<message>
<source>Unknown code</source>
<translation>Unbekannter Code</translation>
</message>
<message>
<source>Unknown code {code}</source>
<translation>Unbekannter Code {code}</translation>
</message>
<message>
<source>Unknown code {code}: kept under Unknown codes</source>
<translation>Unbekannter Code {code}: steht unter „Unbekannte Codes“</translation>
</message>
<message>
<source>Unknown codes</source>
<translation>Unbekannte Codes</translation>
</message>
<message>
<source>Unlock it, then enter the key again.</source>
<translation>Entsperren Sie ihn und geben Sie den Schlüssel dann noch einmal ein.</translation>
</message>
<message>
<source>Unlock or set up the keyring, then enter the key again.</source>
<translation>Entsperren Sie den Schlüsselbund oder richten Sie ihn ein und geben Sie den Schlüssel dann noch einmal ein.</translation>
</message>
<message>
<source>Unlock the keyring, then check again.</source>
<translation>Entsperren Sie den Schlüsselbund und prüfen Sie dann erneut.</translation>
</message>
<message>
<source>Unsent</source>
<translation>Nicht gesendet</translation>
</message>
<message>
<source>Unsent categories</source>
<translation>Nicht gesendete Kategorien</translation>
</message>
<message>
<source>Unsent changes are discarded; the records show the service’s values again.</source>
<translation>Nicht gesendete Änderungen werden verworfen; die Datensätze zeigen wieder die Werte des Dienstes.</translation>
</message>
<message>
<source>Unsent changes stay here until you turn this off.</source>
<translation>Nicht gesendete Änderungen bleiben hier, bis Sie dies ausschalten.</translation>
</message>
<message>
<source>Unsent orders</source>
<translation>Nicht gesendete Bestellungen</translation>
</message>
<message>
<source>Unsent stock</source>
<translation>Nicht gesendeter Bestand</translation>
</message>
<message>
<source>Unusually large: please check</source>
<translation>Ungewöhnlich groß: bitte prüfen</translation>
</message>
<message>
<source>Up and Down change the part under the caret, Alt+Down opens a calendar</source>
<translation>Pfeil auf und Pfeil ab ändern den Teil an der Schreibmarke, Alt+Pfeil ab öffnet einen Kalender</translation>
</message>
<message>
<source>Use QR codes</source>
<translation>QR-Codes verwenden</translation>
</message>
<message>
<source>Use an address that begins with https://. Plain http works only on this computer.</source>
<translation>Verwenden Sie eine Adresse, die mit https:// beginnt. Einfaches http funktioniert nur auf diesem Computer.</translation>
</message>
<message>
<source>Use for this</source>
<translation>Hierfür verwenden</translation>
</message>
<message>
<source>Use for “{what}”</source>
<translation>Für „{what}“ verwenden</translation>
</message>
<message>
<source>Use that window, or close it.</source>
<translation>Verwenden Sie das andere Fenster oder schließen Sie es.</translation>
</message>
<message>
<source>Use this key</source>
<translation>Schlüssel verwenden</translation>
</message>
<message>
<source>Use this size</source>
<translation>Größe verwenden</translation>
</message>
<message>
<source>Use {address}</source>
<translation>{address} verwenden</translation>
</message>
<message>
<source>Use {url}.</source>
<translation>Verwenden Sie {url}.</translation>
</message>
<message>
<source>Used in the last 24 hours</source>
<translation>In den letzten 24 Stunden verbraucht</translation>
</message>
<message>
<source>Used since {time}</source>
<translation>Verbraucht seit {time}</translation>
</message>
<message>
<source>Used today</source>
<translation>Heute verbraucht</translation>
</message>
<message>
<source>Used up</source>
<translation>Aufgebraucht</translation>
</message>
<message>
<source>Used up at about {time} at this pace</source>
<translation>Bei diesem Tempo aufgebraucht: etwa {time}</translation>
</message>
<message>
<source>Used up. Full again at {time}.</source>
<translation>Aufgebraucht. Wieder voll: {time}.</translation>
</message>
<message>
<source>Values that the service needs and that are not known: {names}. Enter them in the connection’s settings.</source>
<translation>Werte, die der Dienst braucht und die nicht bekannt sind: {names}. Geben Sie sie in den Einstellungen der Verbindung ein.</translation>
</message>
<message>
<source>Variances</source>
<translation>Differenzen</translation>
</message>
<message>
<source>Version {version}</source>
<translation>Version {version}</translation>
</message>
<message>
<source>Version {version} is available</source>
<translation>Version {version} ist verfügbar</translation>
</message>
<message>
<source>Vie&amp;ws</source>
<translation>Ans&amp;ichten</translation>
</message>
<message>
<source>View {n} of the file</source>
<translation>Ansicht {n} der Datei</translation>
</message>
<message>
<source>View {n} of the file, {name}</source>
<translation>Ansicht {n} der Datei, {name}</translation>
</message>
<message>
<source>View · {list}</source>
<translation>Ansicht · {list}</translation>
</message>
<message>
<source>Views (*.json)</source>
<translation>Ansichten (*.json)</translation>
</message>
<message>
<source>Views of this list</source>
<translation>Ansichten dieser Liste</translation>
</message>
<message>
<source>Violet</source>
<translation>Violett</translation>
</message>
<message>
<source>Wait until the ban ends. Check whether another program still sends with this key.</source>
<translation>Warten Sie, bis die Sperre endet. Prüfen Sie, ob ein anderes Programm noch mit diesem Schlüssel sendet.</translation>
</message>
<message>
<source>Wait, then check again.</source>
<translation>Warten Sie und prüfen Sie dann erneut.</translation>
</message>
<message>
<source>Wait: it goes on by itself. If it happens again, ask the service’s provider.</source>
<translation>Warten Sie: Es geht automatisch weiter. Wenn es wieder vorkommt, fragen Sie den Betreiber des Dienstes.</translation>
</message>
<message>
<source>Wait: sending now would make the ban longer.</source>
<translation>Warten Sie: Jetzt zu senden würde die Sperre verlängern.</translation>
</message>
<message>
<source>Waited</source>
<translation>Gewartet</translation>
</message>
<message>
<source>Waited, s</source>
<translation>Gewartet, s</translation>
</message>
<message>
<source>Waiting</source>
<translation>Wartend</translation>
</message>
<message>
<source>Waiting: {wait}.</source>
<translation>Wartet: {wait}.</translation>
</message>
<message>
<source>Waits for its turn, until {time}.</source>
<translation>Wartet bis {time}, bis es an der Reihe ist.</translation>
</message>
<message>
<source>Waits for its turn.</source>
<translation>Wartet, bis es an der Reihe ist.</translation>
</message>
<message>
<source>Waits for the minute’s requests, until {time}.</source>
<translation>Wartet bis {time} auf die Anfragen der nächsten Minute.</translation>
</message>
<message>
<source>Waits for the minute’s requests.</source>
<translation>Wartet auf die Anfragen der nächsten Minute.</translation>
</message>
<message>
<source>Waits for the next day’s requests, until {time}.</source>
<translation>Wartet bis {time} auf die Anfragen des nächsten Tages.</translation>
</message>
<message>
<source>Waits for the next day’s requests.</source>
<translation>Wartet auf die Anfragen des nächsten Tages.</translation>
</message>
<message>
<source>Weekly report: &amp;last week…</source>
<translation>Wochenbericht: &amp;letzte Woche…</translation>
</message>
<message>
<source>Weekly report: &amp;this week…</source>
<translation>Wochenbericht: &amp;diese Woche…</translation>
</message>
<message>
<source>What</source>
<translation>Was</translation>
</message>
<message>
<source>What came in</source>
<translation>Was eingegangen ist</translation>
</message>
<message>
<source>What changed</source>
<translation>Was sich geändert hat</translation>
</message>
<message>
<source>What changed in these days is not known.</source>
<translation>Was sich in diesen Tagen geändert hat, ist nicht bekannt.</translation>
</message>
<message numerus="yes">
<source>What changed in {lists} is not known: these lists have not been read whole.</source>
<translation>
<numerusform>Was sich unter {lists} geändert hat, ist nicht bekannt: Diese Liste wurde nicht ganz gelesen.</numerusform>
<numerusform>Was sich unter {lists} geändert hat, ist nicht bekannt: Diese Listen wurden nicht ganz gelesen.</numerusform>
</translation>
</message>
<message>
<source>What changed is known since {time}, when the history on this computer begins.</source>
<translation>Was sich geändert hat, ist seit {time} bekannt; da beginnt der Verlauf auf diesem Computer.</translation>
</message>
<message>
<source>What changed since {time} is not known.</source>
<translation>Was sich seit {time} geändert hat, ist nicht bekannt.</translation>
</message>
<message>
<source>What changes while you are away is listed here.</source>
<translation>Hier steht, was sich ändert, während Sie weg sind.</translation>
</message>
<message>
<source>What is shown</source>
<translation>Was gezeigt wird</translation>
</message>
<message>
<source>What to count</source>
<translation>Was gezählt wird</translation>
</message>
<message>
<source>What was sent is in the shop. Changes that were still waiting are not sent by themselves.</source>
<translation>Was gesendet wurde, ist im Geschäft. Änderungen, die noch gewartet haben, werden nicht automatisch gesendet.</translation>
</message>
<message>
<source>What was sent is in the shop. Changes that were still waiting, if any, are lost with the file.</source>
<translation>Was gesendet wurde, ist im Geschäft. Änderungen, die vielleicht noch gewartet haben, sind mit der Datei verloren.</translation>
</message>
<message numerus="yes">
<source>What was sent is in the shop. {n} changes that were still waiting are not sent by themselves; they are listed in {list}.</source>
<translation>
<numerusform>Was gesendet wurde, ist im Geschäft. Eine Änderung, die noch gewartet hat, wird nicht automatisch gesendet; sie steht in {list}.</numerusform>
<numerusform>Was gesendet wurde, ist im Geschäft. {n} Änderungen, die noch gewartet haben, werden nicht automatisch gesendet; sie stehen in {list}.</numerusform>
</translation>
</message>
<message>
<source>What will change</source>
<translation>Was sich ändern wird</translation>
</message>
<message>
<source>What you add here is saved at once and sent to the service.</source>
<translation>Was Sie hier anlegen, wird sofort gespeichert und an den Dienst gesendet.</translation>
</message>
<message>
<source>What you did here is thrown away. Nothing of it has reached the shop.</source>
<translation>Was Sie hier getan haben, wird verworfen. Nichts davon hat das Geschäft erreicht.</translation>
</message>
<message>
<source>What you saved is safe.</source>
<translation>Was Sie gespeichert haben, ist sicher.</translation>
</message>
<message>
<source>What you saved is safe. This report stays on this computer; it holds no key and no record.</source>
<translation>Was Sie gespeichert haben, ist sicher. Dieser Bericht bleibt auf diesem Computer; er enthält weder einen Schlüssel noch Datensätze.</translation>
</message>
<message>
<source>What you typed will be lost.</source>
<translation>Was Sie eingegeben haben, geht verloren.</translation>
</message>
<message>
<source>What {shop} offers is not known yet.</source>
<translation>Was {shop} anbietet, ist noch nicht bekannt.</translation>
</message>
<message>
<source>Which id of an entry a change of stock means ({name}, or the entry’s own) is found out by reading, before the first one; where the service does not tell, stock is only read.</source>
<translation>Welche ID eines Eintrags eine Bestandsänderung meint ({name} oder die des Eintrags), wird vor der ersten durch Lesen ermittelt; wo der Dienst es nicht sagt, wird Bestand nur gelesen.</translation>
</message>
<message>
<source>Which orders are overdue is not known.</source>
<translation>Welche Bestellungen überfällig sind, ist nicht bekannt.</translation>
</message>
<message>
<source>Which pet is {code}?</source>
<translation>Welches Tier ist {code}?</translation>
</message>
<message>
<source>Which pet is {code}? Type its id or name, then press Enter.</source>
<translation>Welches Tier ist {code}? Geben Sie seine ID oder seinen Namen ein und drücken Sie Enter.</translation>
</message>
<message>
<source>Which pet?</source>
<translation>Welches Tier?</translation>
</message>
<message>
<source>Which stock is low is not known.</source>
<translation>Welcher Bestand knapp ist, ist nicht bekannt.</translation>
</message>
<message>
<source>Who</source>
<translation>Wer</translation>
</message>
<message>
<source>Windows, Arabic (1256)</source>
<translation>Windows, Arabisch (1256)</translation>
</message>
<message>
<source>Windows, Baltic (1257)</source>
<translation>Windows, Baltisch (1257)</translation>
</message>
<message>
<source>Windows, Central Europe (1250)</source>
<translation>Windows, Mitteleuropa (1250)</translation>
</message>
<message>
<source>Windows, Cyrillic (1251)</source>
<translation>Windows, Kyrillisch (1251)</translation>
</message>
<message>
<source>Windows, Greek (1253)</source>
<translation>Windows, Griechisch (1253)</translation>
</message>
<message>
<source>Windows, Hebrew (1255)</source>
<translation>Windows, Hebräisch (1255)</translation>
</message>
<message>
<source>Windows, Thai (874)</source>
<translation>Windows, Thai (874)</translation>
</message>
<message>
<source>Windows, Turkish (1254)</source>
<translation>Windows, Türkisch (1254)</translation>
</message>
<message>
<source>Windows, Western (1252)</source>
<translation>Windows, Westeuropa (1252)</translation>
</message>
<message>
<source>With plain http, others on the way to {host} could read the key. Nothing was sent.</source>
<translation>Bei einfachem http könnten andere auf dem Weg zu {host} den Schlüssel mitlesen. Es wurde nichts gesendet.</translation>
</message>
<message>
<source>Without</source>
<translation>Ohne</translation>
</message>
<message>
<source>Without a category</source>
<translation>Ohne Kategorie</translation>
</message>
<message>
<source>Without a ship date</source>
<translation>Ohne Versanddatum</translation>
</message>
<message>
<source>Without a time zone, shown as it is. The service wrote: {raw}</source>
<translation>Ohne Zeitzone, unverändert angezeigt. Der Dienst schrieb: {raw}</translation>
</message>
<message>
<source>Worth a look</source>
<translation>Einen Blick wert</translation>
</message>
<message>
<source>Write names with dots between them, such as category.id.</source>
<translation>Schreiben Sie Namen mit Punkten dazwischen, zum Beispiel category.id.</translation>
</message>
<message>
<source>Wrong</source>
<translation>Fehlerhaft</translation>
</message>
<message>
<source>Year-Month-Day</source>
<translation>Jahr-Monat-Tag</translation>
</message>
<message>
<source>Yesterday</source>
<translation>Gestern</translation>
</message>
<message>
<source>You already have all bar codes of the file</source>
<translation>Sie haben schon alle Barcodes der Datei</translation>
</message>
<message>
<source>You already have all views of the file</source>
<translation>Sie haben schon alle Ansichten der Datei</translation>
</message>
<message>
<source>You can read and edit everything on this computer.</source>
<translation>Sie können alles auf diesem Computer lesen und bearbeiten.</translation>
</message>
<message>
<source>You can set a minimum once the service has given it an id</source>
<translation>Sie können ein Minimum festlegen, sobald der Dienst eine ID vergeben hat</translation>
</message>
<message>
<source>You can undo it here, even weeks later.</source>
<translation>Sie können sie hier rückgängig machen, auch noch nach Wochen.</translation>
</message>
<message>
<source>You chose {endpoint}, which the document no longer has or which cannot be used.</source>
<translation>Sie haben {endpoint} gewählt, was im Dokument nicht mehr steht oder nicht verwendet werden kann.</translation>
</message>
<message numerus="yes">
<source>You corrected {n} cells.</source>
<translation>
<numerusform>Sie haben eine Zelle korrigiert.</numerusform>
<numerusform>Sie haben {n} Zellen korrigiert.</numerusform>
</translation>
</message>
<message>
<source>You don’t need to do anything.</source>
<translation>Sie brauchen nichts zu tun.</translation>
</message>
<message>
<source>You have not been away yet.</source>
<translation>Sie waren noch nicht abwesend.</translation>
</message>
<message>
<source>You, {time}</source>
<translation>Sie, {time}</translation>
</message>
<message>
<source>Your bar codes are unchanged.</source>
<translation>Ihre Barcodes sind unverändert.</translation>
</message>
<message>
<source>Your changes and all other data are safe. The readable part of it is still used.</source>
<translation>Ihre Änderungen und alle anderen Daten sind sicher. Der lesbare Teil der Datei wird weiter verwendet.</translation>
</message>
<message>
<source>Your changes and all other data are safe; only that list starts again.</source>
<translation>Ihre Änderungen und alle anderen Daten sind sicher; nur diese Liste beginnt von vorn.</translation>
</message>
<message>
<source>Your changes and all other data are safe; only the history starts again.</source>
<translation>Ihre Änderungen und alle anderen Daten sind sicher; nur der Verlauf beginnt von vorn.</translation>
</message>
<message>
<source>Your changes are kept in a network folder: {file}.</source>
<translation>Ihre Änderungen liegen in einem Netzwerkordner: {file}.</translation>
</message>
<message>
<source>Your changes are safe, and all else goes on. What changes meanwhile is recorded with less exact times.</source>
<translation>Ihre Änderungen sind sicher, und alles andere geht weiter. Was sich inzwischen ändert, wird mit weniger genauen Zeiten aufgezeichnet.</translation>
</message>
<message>
<source>Your changes are safe, and sending goes on; only the list of requests will have gaps.</source>
<translation>Ihre Änderungen sind sicher, und das Senden geht weiter; nur die Liste der Anfragen wird Lücken haben.</translation>
</message>
<message>
<source>Your changes are safe. Before anything else is sent, one test request checks for a pause.</source>
<translation>Ihre Änderungen sind sicher. Bevor etwas anderes gesendet wird, prüft eine Testanfrage, ob eine Pause gilt.</translation>
</message>
<message>
<source>Your changes are safe; its data is read from the service again.</source>
<translation>Ihre Änderungen sind sicher; die Daten der Datei werden neu vom Dienst gelesen.</translation>
</message>
<message>
<source>Your changes are saved on this computer and go out by themselves {when}.</source>
<translation>Ihre Änderungen sind auf diesem Computer gespeichert und werden automatisch gesendet: {when}.</translation>
</message>
<message>
<source>Your changes are saved on this computer.</source>
<translation>Ihre Änderungen sind auf diesem Computer gespeichert.</translation>
</message>
<message>
<source>Your changes are saved on this computer; nothing is sent until a key works.</source>
<translation>Ihre Änderungen sind auf diesem Computer gespeichert; ohne gültigen Schlüssel wird nichts gesendet.</translation>
</message>
<message>
<source>Your changes are saved on this computer; what needs this key is not sent until one works.</source>
<translation>Ihre Änderungen sind auf diesem Computer gespeichert; was diesen Schlüssel braucht, wird erst mit einem gültigen gesendet.</translation>
</message>
<message>
<source>Your changes are saved on this computer; what needs this key is not sent until then.</source>
<translation>Ihre Änderungen sind auf diesem Computer gespeichert; was diesen Schlüssel braucht, wird bis dahin nicht gesendet.</translation>
</message>
<message>
<source>Your data on this computer is kept.</source>
<translation>Ihre Daten auf diesem Computer bleiben erhalten.</translation>
</message>
<message>
<source>Your draft of {time} is filled in.</source>
<translation>Ihr Entwurf ({time}) ist eingetragen.</translation>
</message>
<message numerus="yes">
<source>Your plan allows {n} in a minute, and this computer has sent as many.</source>
<translation>
<numerusform>Ihr Tarif erlaubt {n} in einer Minute, und so viele hat dieser Computer gesendet.</numerusform>
<numerusform>Ihr Tarif erlaubt {n} in einer Minute, und so viele hat dieser Computer gesendet.</numerusform>
</translation>
</message>
<message>
<source>Your shops</source>
<translation>Ihre Geschäfte</translation>
</message>
<message>
<source>Your shop’s name, or a greeting</source>
<translation>Der Name Ihres Geschäfts oder ein Gruß</translation>
</message>
<message>
<source>Your shop’s pets, stock and orders, online and offline.</source>
<translation>Die Tiere, der Bestand und die Bestellungen Ihres Geschäfts, online und offline.</translation>
</message>
<message>
<source>Your views are unchanged.</source>
<translation>Ihre Ansichten sind unverändert.</translation>
</message>
<message numerus="yes">
<source>Your {n} changes are saved on this computer and go out afterwards.</source>
<translation>
<numerusform>Ihre Änderung ist auf diesem Computer gespeichert und wird danach gesendet.</numerusform>
<numerusform>Ihre {n} Änderungen sind auf diesem Computer gespeichert und werden danach gesendet.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>Your {n} changes are saved on this computer; they go out by themselves {when}.</source>
<translation>
<numerusform>Ihre Änderung ist auf diesem Computer gespeichert; sie wird automatisch gesendet: {when}.</numerusform>
<numerusform>Ihre {n} Änderungen sind auf diesem Computer gespeichert; sie werden automatisch gesendet: {when}.</numerusform>
</translation>
</message>
<message>
<source>Yours of {acted}; changed elsewhere, seen {seen}.</source>
<translation>Ihr Wert von {acted}; anderswo geändert, gesehen {seen}.</translation>
</message>
<message>
<source>a cache answered for the service, so that a change by somebody else could have been overwritten. Sent again, it rests on what was last seen</source>
<translation>statt des Dienstes antwortete ein Zwischenspeicher, und eine Änderung von jemand anderem hätte überschrieben werden können. Beim erneuten Senden wird das zuletzt Gesehene zugrunde gelegt</translation>
</message>
<message>
<source>a cell holds at most {most} signs, and a text is longer; nothing was written: use csv or json</source>
<translation>eine Zelle fasst höchstens {most} Zeichen, und ein Text ist länger; es wurde nichts geschrieben: Verwenden Sie csv oder json</translation>
</message>
<message>
<source>a connection needs a name</source>
<translation>eine Verbindung braucht einen Namen</translation>
</message>
<message>
<source>a day such as {day}, or a word such as today</source>
<translation>ein Tag wie {day} oder ein Wort wie heute</translation>
</message>
<message>
<source>a deleted order stays deleted</source>
<translation>eine gelöschte Bestellung bleibt gelöscht</translation>
</message>
<message>
<source>a file in the format {format} is nothing for a terminal; say where it is to go with --out FILE</source>
<translation>eine Datei im Format {format} ist nichts für ein Terminal; geben Sie mit --out DATEI an, wohin sie soll</translation>
</message>
<message>
<source>a guess, read only</source>
<translation>geraten, nur lesbar</translation>
</message>
<message>
<source>a later day</source>
<translation>einem späteren Tag</translation>
</message>
<message>
<source>a moment</source>
<translation>wenige Sekunden</translation>
</message>
<message>
<source>a number from 1 to 1,000,000</source>
<translation>eine Zahl von 1 bis 1.000.000</translation>
</message>
<message>
<source>a number such as 5, &gt;10 or 10..20</source>
<translation>eine Zahl wie 5, &gt;10 oder 10..20</translation>
</message>
<message>
<source>a sheet holds at most {most} rows; nothing was written: use the format csv or json</source>
<translation>ein Tabellenblatt fasst höchstens {most} Zeilen; es wurde nichts geschrieben: Verwenden Sie das Format csv oder json</translation>
</message>
<message>
<source>a test request checks whether sending may resume</source>
<translation>eine Testanfrage prüft, ob das Senden fortgesetzt werden kann</translation>
</message>
<message>
<source>a web page came back instead of data.</source>
<translation>statt Daten kam eine Webseite zurück.</translation>
</message>
<message>
<source>a web page, such as a login page, answered instead of the service, and nothing was changed</source>
<translation>statt des Dienstes hat eine Webseite geantwortet, etwa eine Anmeldeseite, und nichts wurde geändert</translation>
</message>
<message numerus="yes">
<source>about {n} days</source>
<translation>
<numerusform>etwa {n} Tag</numerusform>
<numerusform>etwa {n} Tage</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} days left</source>
<translation>
<numerusform>noch etwa {n} Tag</numerusform>
<numerusform>noch etwa {n} Tage</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} h</source>
<translation>
<numerusform>etwa {n} h</numerusform>
<numerusform>etwa {n} h</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} min</source>
<translation>
<numerusform>etwa {n} min</numerusform>
<numerusform>etwa {n} min</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} requests</source>
<translation>
<numerusform>etwa {n} Anfrage</numerusform>
<numerusform>etwa {n} Anfragen</numerusform>
</translation>
</message>
<message numerus="yes">
<source>about {n} s</source>
<translation>
<numerusform>etwa {n} s</numerusform>
<numerusform>etwa {n} s</numerusform>
</translation>
</message>
<message>
<source>add create animal</source>
<translation>hinzufügen erstellen anlegen haustier</translation>
</message>
<message>
<source>add create group</source>
<translation>hinzufügen erstellen anlegen gruppe</translation>
</message>
<message>
<source>add create sell sale place phone call customer</source>
<translation>hinzufügen erstellen anlegen verkaufen verkauf auftrag telefon anruf kunde kundin</translation>
</message>
<message>
<source>after {time} (in {left})</source>
<translation>ab {time} (noch {left})</translation>
</message>
<message>
<source>again repeat</source>
<translation>noch einmal wiederherstellen redo</translation>
</message>
<message>
<source>ahead of</source>
<translation>vor</translation>
</message>
<message>
<source>ambiguous option: {words} could match {names}</source>
<translation>mehrdeutige Option: {words} könnte {names} sein</translation>
</message>
<message>
<source>an authority</source>
<translation>einer Zertifizierungsstelle</translation>
</message>
<message>
<source>an empty list</source>
<translation>eine leere Liste</translation>
</message>
<message>
<source>an empty object</source>
<translation>ein leeres Objekt</translation>
</message>
<message>
<source>an empty text</source>
<translation>einen leeren Text</translation>
</message>
<message>
<source>an unknown time</source>
<translation>zu einem unbekannten Zeitpunkt</translation>
</message>
<message numerus="yes">
<source>and {n} more</source>
<translation>
<numerusform>und noch {n}</numerusform>
<numerusform>und {n} weitere</numerusform>
</translation>
</message>
<message numerus="yes">
<source>and {n} more categories</source>
<translation>
<numerusform>und {n} weitere Kategorie</numerusform>
<numerusform>und {n} weitere Kategorien</numerusform>
</translation>
</message>
<message>
<source>another address</source>
<translation>eine andere Adresse</translation>
</message>
<message>
<source>another connection is called {name}; choose another name</source>
<translation>eine andere Verbindung heißt {name}; wählen Sie einen anderen Namen</translation>
</message>
<message>
<source>another name</source>
<translation>einen anderen Namen</translation>
</message>
<message>
<source>another one</source>
<translation>einen anderen</translation>
</message>
<message>
<source>answered</source>
<translation>beantwortet</translation>
</message>
<message>
<source>anything about categories</source>
<translation>alles zu Kategorien</translation>
</message>
<message>
<source>anything about orders</source>
<translation>alles zu Bestellungen</translation>
</message>
<message>
<source>anything about pets</source>
<translation>alles zu Tieren</translation>
</message>
<message>
<source>anything about the stock</source>
<translation>alles zum Bestand</translation>
</message>
<message>
<source>api endpoints openapi document contract offers deprecated beta</source>
<translation>api endpunkte openapi dokument vertrag angebot veraltet beta</translation>
</message>
<message>
<source>api key password token secret credentials log in login</source>
<translation>api key schlüssel passwort kennwort token geheimnis zugangsdaten anmelden login</translation>
</message>
<message>
<source>argument {name}: {what}</source>
<translation>Angabe {name}: {what}</translation>
</message>
<message>
<source>as in the address</source>
<translation>wie in der Adresse</translation>
</message>
<message>
<source>as of {time}</source>
<translation>Stand {time}</translation>
</message>
<message>
<source>as published</source>
<translation>wie veröffentlicht</translation>
</message>
<message>
<source>as soon as the day has requests again</source>
<translation>sobald es für den Tag wieder Anfragen gibt</translation>
</message>
<message>
<source>as the program names it</source>
<translation>wie das Programm es nennt</translation>
</message>
<message>
<source>as the service sets it</source>
<translation>wie der Dienst es festlegt</translation>
</message>
<message>
<source>asked for #{asked}, the service answered with #{got}.</source>
<translation>angefragt war #{asked}, der Dienst hat mit #{got} geantwortet.</translation>
</message>
<message>
<source>attention  refused, in conflict or unconfirmed</source>
<translation>klären  abgelehnt, in Konflikt oder unbestätigt</translation>
</message>
<message>
<source>automatic</source>
<translation>automatisch</translation>
</message>
<message>
<source>available</source>
<translation>verfügbar</translation>
</message>
<message>
<source>background</source>
<translation>Hintergrund</translation>
</message>
<message>
<source>bar code {code}</source>
<translation>Barcode {code}</translation>
</message>
<message>
<source>bar codes</source>
<comment>the name of a file</comment>
<translation>Barcodes</translation>
</message>
<message>
<source>barcode bar code qr sticker tag print shelf</source>
<translation>barcode strichcode qr aufkleber schild drucken regal</translation>
</message>
<message>
<source>begun {time}</source>
<translation>begonnen {time}</translation>
</message>
<message>
<source>behind</source>
<translation>nach</translation>
</message>
<message>
<source>being sent</source>
<translation>wird gesendet</translation>
</message>
<message>
<source>below-zero  the stock is below zero</source>
<translation>unter-null  der Bestand ist unter null</translation>
</message>
<message>
<source>beta</source>
<translation>Beta</translation>
</message>
<message>
<source>booked</source>
<translation>gebucht</translation>
</message>
<message>
<source>broken off</source>
<translation>abgebrochen</translation>
</message>
<message>
<source>bug report log</source>
<translation>fehlerbericht protokoll</translation>
</message>
<message>
<source>cancel orders</source>
<translation>Bestellungen stornieren</translation>
</message>
<message>
<source>cancelled</source>
<translation>storniert</translation>
</message>
<message>
<source>categories</source>
<translation>Kategorien</translation>
</message>
<message>
<source>category {id}</source>
<translation>Kategorie {id}</translation>
</message>
<message>
<source>change categories</source>
<translation>Kategorien ändern</translation>
</message>
<message>
<source>change connection server window</source>
<translation>ändern verbindung server fenster</translation>
</message>
<message>
<source>change orders</source>
<translation>Bestellungen ändern</translation>
</message>
<message>
<source>change pets</source>
<translation>Tiere ändern</translation>
</message>
<message>
<source>change quantity amount count inventory book</source>
<translation>ändern menge anzahl stückzahl lager buchen</translation>
</message>
<message>
<source>change rename modify</source>
<translation>ändern umbenennen</translation>
</message>
<message>
<source>change rename modify bulk</source>
<translation>ändern umbenennen mehrere</translation>
</message>
<message>
<source>change the stock</source>
<translation>den Bestand ändern</translation>
</message>
<message>
<source>changed</source>
<translation>geändert</translation>
</message>
<message>
<source>changed  today, by you or at the service</source>
<translation>geändert  heute, von Ihnen oder beim Dienst</translation>
</message>
<message>
<source>changed by somebody else</source>
<translation>von jemand anderem geändert</translation>
</message>
<message>
<source>changed elsewhere</source>
<translation>anderswo geändert</translation>
</message>
<message>
<source>changes</source>
<translation>Änderungen</translation>
</message>
<message>
<source>changes to</source>
<translation>wird zu</translation>
</message>
<message>
<source>changes to {value}</source>
<translation>wird zu {value}</translation>
</message>
<message>
<source>changes wait for the next day</source>
<translation>Änderungen warten auf den nächsten Tag</translation>
</message>
<message>
<source>changes {day}</source>
<comment>the name of a file</comment>
<translation>Änderungen {day}</translation>
</message>
<message>
<source>changes {first} to {last}</source>
<comment>the name of a file</comment>
<translation>Änderungen {first} bis {last}</translation>
</message>
<message>
<source>chosen by you</source>
<translation>von Ihnen gewählt</translation>
</message>
<message>
<source>clipboard</source>
<translation>zwischenablage</translation>
</message>
<message>
<source>clipboard answer order read out phone call customer</source>
<translation>zwischenablage antwort auskunft bestellung vorlesen telefon anruf kunde kundin</translation>
</message>
<message>
<source>clipboard insert excel</source>
<translation>zwischenablage excel</translation>
</message>
<message>
<source>clipboard number</source>
<translation>zwischenablage nummer</translation>
</message>
<message>
<source>clipboard titles columns excel</source>
<translation>zwischenablage überschriften kopfzeile spalten excel</translation>
</message>
<message>
<source>complete</source>
<translation>erledigt</translation>
</message>
<message>
<source>conflicts errors failed problems attention review</source>
<translation>konflikte fehler fehlgeschlagen probleme prüfen abgelehnt</translation>
</message>
<message>
<source>continue go on pause ban limit</source>
<translation>weiter weitermachen pause sperre limit</translation>
</message>
<message>
<source>copied {time}</source>
<translation>kopiert {time}</translation>
</message>
<message>
<source>count of {what}</source>
<translation>Zählung von {what}</translation>
</message>
<message>
<source>counted at {time}</source>
<translation>gezählt um {time}</translation>
</message>
<message>
<source>counting</source>
<translation>wird gezählt</translation>
</message>
<message>
<source>counting…</source>
<translation>wird gezählt…</translation>
</message>
<message>
<source>counts as done; nothing is sent</source>
<translation>gilt als erledigt; es wird nichts gesendet</translation>
</message>
<message>
<source>created</source>
<translation>angelegt</translation>
</message>
<message>
<source>csv excel xlsx spreadsheet table file load read upload open</source>
<translation>csv excel xlsx tabelle tabellenkalkulation datei laden einlesen hochladen öffnen</translation>
</message>
<message>
<source>csv excel xlsx spreadsheet table file save download</source>
<translation>csv excel xlsx tabelle tabellenkalkulation datei speichern herunterladen</translation>
</message>
<message>
<source>d day days|w week weeks</source>
<comment>words after +3; those for days and for weeks</comment>
<translation>t tag tage tagen|w woche wochen</translation>
</message>
<message>
<source>day after tomorrow</source>
<translation>übermorgen</translation>
</message>
<message>
<source>day used up for {left}</source>
<translation>Tag aufgebraucht, noch {left}</translation>
</message>
<message numerus="yes">
<source>decision about {n} changes</source>
<translation>
<numerusform>Entscheidung über {n} Änderung</numerusform>
<numerusform>Entscheidung über {n} Änderungen</numerusform>
</translation>
</message>
<message>
<source>delete</source>
<translation>löschen</translation>
</message>
<message>
<source>delete categories</source>
<translation>Kategorien löschen</translation>
</message>
<message>
<source>delete pets</source>
<translation>Tiere löschen</translation>
</message>
<message>
<source>delete remove</source>
<translation>löschen absagen entfernen</translation>
</message>
<message>
<source>delete {record}</source>
<translation>{record} löschen</translation>
</message>
<message>
<source>deleted</source>
<translation>gelöscht</translation>
</message>
<message>
<source>deletion of the view {name}</source>
<translation>Löschen der Ansicht {name}</translation>
</message>
<message>
<source>demo shop</source>
<translation>Demo-Geschäft</translation>
</message>
<message>
<source>deprecated</source>
<translation>veraltet</translation>
</message>
<message>
<source>deprecated, until {day}</source>
<translation>veraltet, bis {day}</translation>
</message>
<message>
<source>different values</source>
<translation>verschiedene Werte</translation>
</message>
<message>
<source>discarded</source>
<translation>verworfen</translation>
</message>
<message>
<source>done {moment}</source>
<translation>fertig {moment}</translation>
</message>
<message>
<source>each pet in {category}</source>
<translation>jedes Tier in {category}</translation>
</message>
<message numerus="yes">
<source>each pet in {n} categories</source>
<translation>
<numerusform>jedes Tier in {n} Kategorie</numerusform>
<numerusform>jedes Tier in {n} Kategorien</numerusform>
</translation>
</message>
<message>
<source>elsewhere</source>
<comment>changed by another program</comment>
<translation>anderswo</translation>
</message>
<message>
<source>empty</source>
<translation>leer</translation>
</message>
<message>
<source>every answer takes {seconds} s</source>
<translation>jede Antwort dauert {seconds} s</translation>
</message>
<message>
<source>every {every} s a pause of {lasts} s, first at {first}</source>
<translation>alle {every} s eine Pause von {lasts} s, zuerst bei {first}</translation>
</message>
<message>
<source>exclude hide not filter</source>
<translation>ausblenden weglassen nicht filter</translation>
</message>
<message>
<source>exit close end leave</source>
<translation>schließen ende verlassen exit</translation>
</message>
<message>
<source>expected at least one argument</source>
<translation>mindestens ein Wert ist nötig</translation>
</message>
<message>
<source>expected one argument</source>
<translation>ein Wert fehlt</translation>
</message>
<message>
<source>experimental</source>
<translation>experimentell</translation>
</message>
<message>
<source>failed there</source>
<translation>dort fehlgeschlagen</translation>
</message>
<message>
<source>file json share load</source>
<translation>datei json teilen laden</translation>
</message>
<message>
<source>file json share save</source>
<translation>datei json teilen weitergeben speichern</translation>
</message>
<message>
<source>filter bookmark favourite new add</source>
<translation>filter lesezeichen favorit neu hinzufügen</translation>
</message>
<message>
<source>find search fetch number</source>
<translation>finden suchen holen nachschlagen nummer</translation>
</message>
<message>
<source>for example {example}</source>
<translation>zum Beispiel {example}</translation>
</message>
<message>
<source>forgetting of {code}</source>
<translation>Entfernen von {code}</translation>
</message>
<message>
<source>found</source>
<translation>gefunden</translation>
</message>
<message>
<source>goes on after {time} ({why})</source>
<translation>geht ab {time} weiter ({why})</translation>
</message>
<message>
<source>goes out with the next `petstore-desktop sync`, import or booking, or while the window is open</source>
<translation>geht mit dem nächsten `petstore-desktop sync`, Import oder der nächsten Buchung hinaus, oder solange das Fenster offen ist</translation>
</message>
<message>
<source>goods delivery supplier scan scanner book in stock arrived</source>
<translation>waren lieferung lieferant scannen scanner einbuchen zugang angekommen</translation>
</message>
<message>
<source>help handbook guide how to</source>
<translation>hilfe handbuch anleitung wie</translation>
</message>
<message>
<source>here</source>
<comment>changed with this program</comment>
<translation>hier</translation>
</message>
<message>
<source>here and elsewhere</source>
<comment>changed with this program and by another one</comment>
<translation>hier und anderswo</translation>
</message>
<message>
<source>hidden</source>
<translation>verborgen</translation>
</message>
<message>
<source>hidden until the next scan</source>
<translation>verborgen bis zum nächsten Scan</translation>
</message>
<message>
<source>hide show visible fields</source>
<translation>ausblenden einblenden sichtbar felder</translation>
</message>
<message>
<source>history journal log audit sent undo</source>
<translation>historie verlauf journal protokoll gesendet rückgängig</translation>
</message>
<message>
<source>history past difference differences between yesterday week since what changed</source>
<translation>historie verlauf vergangenheit unterschied unterschiede zwischen gestern woche seit was hat sich geändert</translation>
</message>
<message>
<source>how the service of {name} speaks is not known yet; `petstore-desktop doctor` or `sync` asks it first</source>
<translation>wie der Dienst von {name} spricht, ist noch nicht bekannt; `petstore-desktop doctor` oder `sync` fragt ihn zuerst</translation>
</message>
<message>
<source>id</source>
<translation>ID</translation>
</message>
<message>
<source>import of bar codes</source>
<translation>Import von Barcodes</translation>
</message>
<message>
<source>import of views</source>
<translation>Import von Ansichten</translation>
</message>
<message>
<source>in conflict</source>
<translation>in Konflikt</translation>
</message>
<message>
<source>in conflict with the service</source>
<translation>in Konflikt mit dem Dienst</translation>
</message>
<message>
<source>in stock</source>
<translation>Bestand</translation>
</message>
<message>
<source>in stock {count}</source>
<translation>Bestand {count}</translation>
</message>
<message>
<source>in this window</source>
<translation>in diesem Fenster</translation>
</message>
<message numerus="yes">
<source>in {n} days</source>
<translation>
<numerusform>in {n} Tag</numerusform>
<numerusform>in {n} Tagen</numerusform>
</translation>
</message>
<message>
<source>incomplete</source>
<translation>unvollständig</translation>
</message>
<message>
<source>incomplete  without a pet, a quantity or a ship date</source>
<translation>unvollständig  ohne Tier, Menge oder Versanddatum</translation>
</message>
<message>
<source>interrupted</source>
<translation>unterbrochen</translation>
</message>
<message>
<source>interrupted; the running program goes on with it</source>
<translation>unterbrochen; das laufende Programm macht damit weiter</translation>
</message>
<message>
<source>invalid choice: {value} (choose from {names})</source>
<translation>{value} gibt es nicht (zur Wahl stehen {names})</translation>
</message>
<message>
<source>is discarded; nothing is sent</source>
<translation>ist verworfen; nichts wird gesendet</translation>
</message>
<message>
<source>it answers with a list, not with one record</source>
<translation>die Antwort ist eine Liste, kein einzelner Datensatz</translation>
</message>
<message>
<source>it answers with a list, so it creates nothing</source>
<translation>die Antwort ist eine Liste, also wird nichts angelegt</translation>
</message>
<message>
<source>it answers with one record, not with a list</source>
<translation>die Antwort ist ein einzelner Datensatz, keine Liste</translation>
</message>
<message>
<source>it does not lie at the same path as {what}</source>
<translation>der Pfad ist ein anderer als bei {what}</translation>
</message>
<message>
<source>it does not take a record</source>
<translation>ein Datensatz wird nicht angenommen</translation>
</message>
<message>
<source>it filters or sorts by a column that does not exist here: {what}</source>
<translation>sie filtert oder sortiert nach einer Spalte, die es hier nicht gibt: {what}</translation>
</message>
<message>
<source>it has no name</source>
<translation>sie hat keinen Namen</translation>
</message>
<message>
<source>it is not a view</source>
<translation>es ist keine Ansicht</translation>
</message>
<message>
<source>it is not certain that “{what}” in its path is the record’s own id</source>
<translation>es ist nicht sicher, dass „{what}“ im Pfad die eigene ID des Datensatzes ist</translation>
</message>
<message>
<source>it is not certain which record the service would change by this id. A profile says what its ids mean</source>
<translation>es ist nicht sicher, welchen Datensatz der Dienst über diese ID ändern würde. Ein Profil sagt, was die IDs bedeuten</translation>
</message>
<message>
<source>it is only at another server, {what}</source>
<translation>es gibt sie nur auf einem anderen Server, {what}</translation>
</message>
<message>
<source>it requires a value for the header “{what}”</source>
<translation>ein Wert für den Header „{what}“ ist erforderlich</translation>
</message>
<message>
<source>it requires a value for “{what}”</source>
<translation>ein Wert für „{what}“ ist erforderlich</translation>
</message>
<message>
<source>it takes none of the fields that the program knows</source>
<translation>keines der Felder, die das Programm kennt, wird angenommen</translation>
</message>
<message>
<source>it takes {what}, and the program sends JSON</source>
<translation>erwartet wird {what}, das Programm sendet aber JSON</translation>
</message>
<message>
<source>it was cancelled before the answer came.</source>
<translation>die Anfrage wurde abgebrochen, bevor die Antwort kam.</translation>
</message>
<message>
<source>it was done, and need not be done again; only this answer could not be written to standard output ({why})</source>
<translation>es ist erledigt und muss nicht wiederholt werden; nur diese Antwort ließ sich nicht auf die Standardausgabe schreiben ({why})</translation>
</message>
<message>
<source>it was not sent from here</source>
<translation>es wurde nicht von hier gesendet</translation>
</message>
<message>
<source>it was refused or never sent: it cannot count as done</source>
<translation>es wurde abgelehnt oder nie gesendet: als erledigt kann es nicht gelten</translation>
</message>
<message>
<source>it would erase the values of {fields}: the service does not show them, or takes them nowhere</source>
<translation>die Änderung würde die Werte von {fields} löschen: Der Dienst zeigt sie nicht oder nimmt sie nirgends an</translation>
</message>
<message>
<source>its answer does not look like {things}</source>
<translation>die Antwort sieht nicht aus wie {things}</translation>
</message>
<message>
<source>its answer looks like {things}</source>
<translation>die Antwort sieht aus wie {things}</translation>
</message>
<message>
<source>its fields look like {things}, its path does not</source>
<translation>die Felder sehen aus wie {things}, der Pfad aber nicht</translation>
</message>
<message>
<source>its filter or sort cannot be read</source>
<translation>ihr Filter oder ihre Sortierung kann nicht gelesen werden</translation>
</message>
<message>
<source>its list does not exist here: {what}</source>
<translation>ihre Liste gibt es hier nicht: {what}</translation>
</message>
<message>
<source>its name is too long</source>
<translation>ihr Name ist zu lang</translation>
</message>
<message>
<source>key banned</source>
<translation>Schlüssel gesperrt</translation>
</message>
<message>
<source>key banned for {left}</source>
<translation>Schlüssel gesperrt, noch {left}</translation>
</message>
<message>
<source>key not accepted</source>
<translation>Schlüssel ungültig</translation>
</message>
<message>
<source>koi red  both words      koi|red  one of them</source>
<translation>koi rot  beide Wörter      koi|rot  eines davon</translation>
</message>
<message>
<source>late</source>
<translation>überfällig</translation>
</message>
<message>
<source>leaves {left} of {limit} today</source>
<translation>heute bleiben {left} von {limit}</translation>
</message>
<message>
<source>leaves ≈ {left} of {limit} today</source>
<translation>heute bleiben ≈ {left} von {limit}</translation>
</message>
<message>
<source>left out</source>
<translation>ausgelassen</translation>
</message>
<message>
<source>limit unknown</source>
<translation>Limit unbekannt</translation>
</message>
<message>
<source>line of {what} in the delivery</source>
<translation>Zeile {what} im Wareneingang</translation>
</message>
<message>
<source>list</source>
<comment>a file of no better name</comment>
<translation>Liste</translation>
</message>
<message>
<source>live, {time}</source>
<translation>live, {time}</translation>
</message>
<message>
<source>log network http calls api</source>
<translation>protokoll log netzwerk http aufrufe api</translation>
</message>
<message>
<source>logs errors debug file</source>
<translation>protokoll protokolle fehler debug datei</translation>
</message>
<message>
<source>look up a category</source>
<translation>eine Kategorie abrufen</translation>
</message>
<message>
<source>look up a pet</source>
<translation>ein Tier abrufen</translation>
</message>
<message>
<source>look up a stock entry</source>
<translation>einen Bestandseintrag abrufen</translation>
</message>
<message>
<source>look up an order</source>
<translation>eine Bestellung abrufen</translation>
</message>
<message>
<source>low</source>
<translation>knapp</translation>
</message>
<message>
<source>low  at or below the minimum</source>
<translation>knapp  der Mindestbestand ist erreicht oder unterschritten</translation>
</message>
<message>
<source>low threshold limit reorder warning</source>
<translation>knapp niedrig grenze schwelle nachbestellen meldebestand warnung</translation>
</message>
<message>
<source>minute used up for {left}</source>
<translation>Minute aufgebraucht, noch {left}</translation>
</message>
<message>
<source>more-than-stock  the open orders of its pet are for more than is in stock</source>
<translation>mehr-als-bestand  die offenen Bestellungen des Tiers übersteigen den Bestand</translation>
</message>
<message>
<source>name and category, as there is no column with ids</source>
<translation>Name und Kategorie, da es keine Spalte mit IDs gibt</translation>
</message>
<message>
<source>name, as there is no column with ids</source>
<translation>Name, da es keine Spalte mit IDs gibt</translation>
</message>
<message>
<source>needs a key</source>
<translation>braucht Schlüssel</translation>
</message>
<message>
<source>neither its records nor the rest of the document are about pets</source>
<translation>weder die Datensätze noch der Rest des Dokuments handeln von Tieren</translation>
</message>
<message>
<source>never read</source>
<translation>nie gelesen</translation>
</message>
<message>
<source>new</source>
<translation>neu</translation>
</message>
<message>
<source>new</source>
<comment>a record created here</comment>
<translation>neu</translation>
</message>
<message>
<source>new</source>
<comment>in place of an id that the service has not given yet</comment>
<translation>neu</translation>
</message>
<message>
<source>new categories</source>
<translation>Kategorien anlegen</translation>
</message>
<message>
<source>new count</source>
<translation>neue Zählung</translation>
</message>
<message>
<source>new orders</source>
<translation>Bestellungen anlegen</translation>
</message>
<message>
<source>new pets</source>
<translation>Tiere anlegen</translation>
</message>
<message>
<source>new {record}</source>
<translation>neu: {record}</translation>
</message>
<message>
<source>next refresh at {time}</source>
<translation>nächste Aktualisierung {time}</translation>
</message>
<message>
<source>next refresh at {time} ({why})</source>
<translation>nächste Aktualisierung {time} ({why})</translation>
</message>
<message>
<source>no</source>
<translation>nein</translation>
</message>
<message>
<source>no answer: {why}</source>
<translation>keine Antwort: {why}</translation>
</message>
<message>
<source>no column of the file can be told to be a field of {wanted}; nothing was saved. Name the columns in its first row, as `export` does</source>
<translation>keine Spalte der Datei ist als Feld von {wanted} zu erkennen; es wurde nichts gespeichert. Nennen Sie die Spalten in der ersten Zeile, wie `export` es tut</translation>
</message>
<message>
<source>no key came on stdin; nothing was changed</source>
<translation>auf stdin kam kein Schlüssel; es wurde nichts geändert</translation>
</message>
<message>
<source>no key was typed; nothing was changed</source>
<translation>es wurde kein Schlüssel eingegeben; es wurde nichts geändert</translation>
</message>
<message>
<source>no network from {goes} to {back}</source>
<translation>kein Netzwerk von {goes} bis {back}</translation>
</message>
<message>
<source>no operation does it now; choose one in “Operations of this service”</source>
<translation>zurzeit gibt es dafür keine Operation; wählen Sie eine unter „Operationen dieses Dienstes“</translation>
</message>
<message>
<source>no pet</source>
<translation>kein Tier</translation>
</message>
<message>
<source>no reason given</source>
<translation>kein Grund angegeben</translation>
</message>
<message>
<source>no record shows how this service names the category or the pet: by id, by name or otherwise</source>
<translation>kein Datensatz zeigt, womit dieser Dienst die Kategorie oder das Tier nennt: mit der ID, mit dem Namen oder anders</translation>
</message>
<message>
<source>no request</source>
<translation>keine Anfrage</translation>
</message>
<message>
<source>no requests are left</source>
<translation>keine Anfragen sind übrig</translation>
</message>
<message>
<source>no stock entry</source>
<translation>kein Bestandseintrag</translation>
</message>
<message>
<source>no such category</source>
<translation>keine solche Kategorie</translation>
</message>
<message>
<source>no such pet</source>
<translation>kein solches Tier</translation>
</message>
<message>
<source>no-such-pet  its pet does not exist</source>
<translation>tier-fehlt  das Tier dazu gibt es nicht</translation>
</message>
<message>
<source>none</source>
<translation>keines</translation>
</message>
<message>
<source>none</source>
<comment>no ship date</comment>
<translation>keines</translation>
</message>
<message>
<source>none left, next try in {left}</source>
<translation>keine übrig, nächster Versuch: {left}</translation>
</message>
<message>
<source>none today</source>
<translation>heute keine</translation>
</message>
<message>
<source>not allowed</source>
<translation>nicht erlaubt</translation>
</message>
<message>
<source>not allowed with argument {name}</source>
<translation>geht nicht zusammen mit {name}</translation>
</message>
<message>
<source>not available</source>
<translation>nicht verfügbar</translation>
</message>
<message>
<source>not booked</source>
<translation>nicht gebucht</translation>
</message>
<message>
<source>not booked yet</source>
<translation>noch nicht gebucht</translation>
</message>
<message>
<source>not checked yet</source>
<translation>noch nicht geprüft</translation>
</message>
<message>
<source>not found</source>
<translation>nicht gefunden</translation>
</message>
<message>
<source>not known</source>
<translation>nicht bekannt</translation>
</message>
<message>
<source>not now</source>
<translation>jetzt nicht</translation>
</message>
<message>
<source>not offered</source>
<translation>nicht angeboten</translation>
</message>
<message>
<source>not reached</source>
<translation>nicht erreicht</translation>
</message>
<message>
<source>not read to its end</source>
<translation>nicht bis zum Ende gelesen</translation>
</message>
<message>
<source>not readable</source>
<translation>nicht lesbar</translation>
</message>
<message>
<source>not said</source>
<translation>nicht angegeben</translation>
</message>
<message>
<source>not saved</source>
<translation>nicht gespeichert</translation>
</message>
<message>
<source>not secure</source>
<translation>nicht sicher</translation>
</message>
<message>
<source>not sent: this connection is read-only</source>
<translation>nicht gesendet: Diese Verbindung ist nur zum Lesen</translation>
</message>
<message>
<source>not there</source>
<translation>nicht vorhanden</translation>
</message>
<message>
<source>not yet</source>
<translation>noch nicht</translation>
</message>
<message>
<source>note</source>
<translation>Hinweis</translation>
</message>
<message>
<source>nothing</source>
<translation>nichts</translation>
</message>
<message>
<source>nothing else in the document is about pets, their orders or their stock</source>
<translation>nichts sonst im Dokument handelt von Tieren, ihren Bestellungen oder ihrem Bestand</translation>
</message>
<message>
<source>nothing here reaches your shop. {said}</source>
<translation>nichts hier erreicht Ihr Geschäft. {said}</translation>
</message>
<message>
<source>nothing is kept here of the {resource} of {name} yet; `petstore-desktop sync {typed}` reads them</source>
<translation>von {resource} bei {name} ist hier noch nichts vorhanden; `petstore-desktop sync {typed}` liest sie</translation>
</message>
<message>
<source>nothing is known to be stored</source>
<translation>soweit bekannt, wurde nichts abgelegt</translation>
</message>
<message>
<source>nothing needs a decision</source>
<translation>nichts ist zu entscheiden</translation>
</message>
<message>
<source>nothing read yet</source>
<translation>noch nichts gelesen</translation>
</message>
<message>
<source>nothing to send</source>
<translation>nichts zu senden</translation>
</message>
<message>
<source>nothing was changed</source>
<translation>es wurde nichts geändert</translation>
</message>
<message>
<source>nothing was changed in {file}</source>
<translation>in {file} wurde nichts geändert</translation>
</message>
<message>
<source>nothing was saved</source>
<translation>es wurde nichts gespeichert</translation>
</message>
<message>
<source>nothing was sent</source>
<translation>nichts wurde gesendet</translation>
</message>
<message>
<source>nothing was sent, not even the key</source>
<translation>es wurde nichts gesendet, auch nicht der Schlüssel</translation>
</message>
<message>
<source>now</source>
<comment>this moment</comment>
<translation>jetzt</translation>
</message>
<message>
<source>o: orders   p: pets   c: categories   s: stock</source>
<translation>o: Bestellungen   p: Tiere   c: Kategorien   s: Bestand</translation>
</message>
<message>
<source>of an unexpected error in the program ({name})</source>
<translation>wegen eines unerwarteten Fehlers im Programm ({name})</translation>
</message>
<message numerus="yes">
<source>of {n} changes</source>
<translation>
<numerusform>von {n} Änderung</numerusform>
<numerusform>von {n} Änderungen</numerusform>
</translation>
</message>
<message>
<source>offered</source>
<translation>angeboten</translation>
</message>
<message>
<source>offered, not by your choice</source>
<translation>angeboten, nicht nach Ihrer Wahl</translation>
</message>
<message>
<source>offline since {time}</source>
<translation>offline seit {time}</translation>
</message>
<message>
<source>oldest {days}</source>
<translation>bis zu {days}</translation>
</message>
<message>
<source>on a later day</source>
<translation>an einem späteren Tag</translation>
</message>
<message>
<source>on an earlier day</source>
<translation>an einem früheren Tag</translation>
</message>
<message>
<source>one of the arguments {names} is required</source>
<translation>eine dieser Angaben ist nötig: {names}</translation>
</message>
<message>
<source>one without a title</source>
<translation>ohne Titel</translation>
</message>
<message>
<source>only a part of the {resource} of {name} is kept here ({count}); nothing was saved. `petstore-desktop sync {typed}` reads the rest</source>
<translation>von {resource} bei {name} ist hier nur ein Teil vorhanden ({count}); es wurde nichts gespeichert. `petstore-desktop sync {typed}` liest den Rest</translation>
</message>
<message>
<source>only on this computer</source>
<translation>nur auf diesem Computer</translation>
</message>
<message>
<source>open</source>
<translation>offen</translation>
</message>
<message numerus="yes">
<source>open orders for more than is in stock</source>
<translation>
<numerusform>offene Bestellung über den Bestand hinaus</numerusform>
<numerusform>offene Bestellungen über den Bestand hinaus</numerusform>
</translation>
</message>
<message>
<source>or</source>
<translation>oder</translation>
</message>
<message>
<source>or {other}</source>
<translation>oder {other}</translation>
</message>
<message>
<source>order</source>
<translation>Bestellung</translation>
</message>
<message>
<source>order {id}</source>
<translation>Bestellung {id}</translation>
</message>
<message>
<source>orders</source>
<translation>Bestellungen</translation>
</message>
<message numerus="yes">
<source>orders are for pets that do not exist</source>
<translation>
<numerusform>Bestellung ohne vorhandenes Tier</numerusform>
<numerusform>Bestellungen ohne vorhandenes Tier</numerusform>
</translation>
</message>
<message numerus="yes">
<source>orders without a pet, quantity or date</source>
<translation>
<numerusform>Bestellung ohne Tier, Menge oder Datum</numerusform>
<numerusform>Bestellungen ohne Tier, Menge oder Datum</numerusform>
</translation>
</message>
<message>
<source>other answers at its path do not look like {things}</source>
<translation>andere Antworten unter diesem Pfad sehen nicht aus wie {things}</translation>
</message>
<message>
<source>other answers at its path look like {things}</source>
<translation>andere Antworten unter diesem Pfad sehen aus wie {things}</translation>
</message>
<message>
<source>outbox queue unsent pending not sent</source>
<translation>ausgang warteschlange ungesendet nicht gesendet ausstehend</translation>
</message>
<message>
<source>overdue  the ship date is past, and the order is open</source>
<translation>überfällig  das Versanddatum ist vorbei, und die Bestellung ist offen</translation>
</message>
<message>
<source>page {page} of {pages}</source>
<translation>Seite {page} von {pages}</translation>
</message>
<message>
<source>pasted lines in the delivery</source>
<translation>eingefügte Zeilen im Wareneingang</translation>
</message>
<message>
<source>paused</source>
<translation>pausiert</translation>
</message>
<message>
<source>paused {left}</source>
<translation>pausiert, noch {left}</translation>
</message>
<message>
<source>pdf paper printer page</source>
<translation>pdf papier drucker seite ausdrucken</translation>
</message>
<message>
<source>pending</source>
<translation>reserviert</translation>
</message>
<message>
<source>pending|sold  one of them      !sold  not this one</source>
<translation>reserviert|verkauft  einer davon      !verkauft  nicht dieser</translation>
</message>
<message>
<source>person</source>
<translation>Person</translation>
</message>
<message>
<source>pet {id}</source>
<translation>Tier {id}</translation>
</message>
<message>
<source>pets</source>
<translation>Tiere</translation>
</message>
<message numerus="yes">
<source>pets with the name of another one of their category</source>
<translation>
<numerusform>Tier mit dem Namen eines anderen aus seiner Kategorie</numerusform>
<numerusform>Tiere mit dem Namen eines anderen aus ihrer Kategorie</numerusform>
</translation>
</message>
<message numerus="yes">
<source>pets without a category</source>
<translation>
<numerusform>Tier ohne Kategorie</numerusform>
<numerusform>Tiere ohne Kategorie</numerusform>
</translation>
</message>
<message>
<source>pin lock fix frozen panes left</source>
<translation>fixieren anheften sperren einfrieren links</translation>
</message>
<message>
<source>plain http to {host} would show the key to others; use https (http is only for this computer)</source>
<translation>unverschlüsseltes http zu {host} würde anderen den Schlüssel zeigen; verwenden Sie https (http ist nur für diesen Computer)</translation>
</message>
<message>
<source>plan not known</source>
<translation>Tarif nicht bekannt</translation>
</message>
<message>
<source>plan {plan}</source>
<translation>Tarif {plan}</translation>
</message>
<message>
<source>problem</source>
<translation>Problem</translation>
</message>
<message>
<source>profile</source>
<comment>the name of a file</comment>
<translation>Profil</translation>
</message>
<message>
<source>quota limit limits rate calls budget minute day</source>
<translation>quota kontingent limit limits rate aufrufe budget minute tag</translation>
</message>
<message>
<source>read from pets</source>
<translation>aus den Tieren gelesen</translation>
</message>
<message>
<source>read-only</source>
<translation>nur Lesen</translation>
</message>
<message>
<source>reading was stopped</source>
<translation>das Lesen wurde angehalten</translation>
</message>
<message>
<source>record {id} was made with other values than were sent: {values}.</source>
<translation>Datensatz {id} wurde mit anderen Werten angelegt als gesendet: {values}.</translation>
</message>
<message>
<source>records of this kind have no field “{field}”. Discard it, and enter it again</source>
<translation>Datensätze dieser Art haben kein Feld „{field}“. Verwerfen Sie die Änderung und geben Sie sie noch einmal ein</translation>
</message>
<message>
<source>records that were deleted here are shown again: {met}. The service kept them, or somebody made them again.</source>
<translation>Datensätze, die hier gelöscht wurden, erscheinen wieder: {met}. Der Dienst hat sie behalten, oder jemand hat sie neu angelegt.</translation>
</message>
<message>
<source>refresh on screen</source>
<translation>Anzeige aktualisieren</translation>
</message>
<message>
<source>refused</source>
<translation>abgelehnt</translation>
</message>
<message>
<source>refused by the service</source>
<translation>vom Dienst abgelehnt</translation>
</message>
<message>
<source>rehearsed</source>
<translation>im Probelauf</translation>
</message>
<message>
<source>reload update sync synchronise fetch load</source>
<translation>neu laden update sync synchronisieren holen</translation>
</message>
<message>
<source>remove</source>
<translation>entfernen</translation>
</message>
<message>
<source>remove reset show all</source>
<translation>entfernen zurücksetzen leeren alle anzeigen</translation>
</message>
<message>
<source>removed</source>
<translation>entfernt</translation>
</message>
<message>
<source>renamed to {name}</source>
<translation>umbenannt in {name}</translation>
</message>
<message>
<source>renaming of the view {name}</source>
<translation>Umbenennen der Ansicht {name}</translation>
</message>
<message>
<source>repeat same value below</source>
<translation>wiederholen gleicher wert darunter</translation>
</message>
<message>
<source>repeat same value selection bulk</source>
<translation>wiederholen gleicher wert auswahl mehrere</translation>
</message>
<message>
<source>restore reset default</source>
<translation>zurücksetzen standard vorgaben</translation>
</message>
<message>
<source>row {row}: {why}</source>
<translation>Zeile {row}: {why}</translation>
</message>
<message>
<source>same</source>
<translation>gleich</translation>
</message>
<message>
<source>same-name  another pet of its category has the same name</source>
<translation>gleicher-name  ein anderes Tier der Kategorie hat denselben Namen</translation>
</message>
<message>
<source>saved filter list</source>
<translation>gespeicherter filter liste</translation>
</message>
<message>
<source>saved on this computer, not sent</source>
<translation>auf diesem Computer gespeichert, nicht gesendet</translation>
</message>
<message>
<source>search find</source>
<translation>suchen finden</translation>
</message>
<message>
<source>see `petstore-desktop decide {name}`, or the window, Activity &gt; Needs attention</source>
<translation>siehe `petstore-desktop decide {name}` oder im Fenster unter Aktivität &gt; Zu klären</translation>
</message>
<message>
<source>see all categories</source>
<translation>alle Kategorien sehen</translation>
</message>
<message>
<source>see all orders</source>
<translation>alle Bestellungen sehen</translation>
</message>
<message>
<source>see all pets</source>
<translation>alle Tiere sehen</translation>
</message>
<message>
<source>see the stock</source>
<translation>den Bestand sehen</translation>
</message>
<message>
<source>select whole columns</source>
<translation>markieren ganze spalten</translation>
</message>
<message>
<source>select whole rows</source>
<translation>markieren ganze zeilen</translation>
</message>
<message>
<source>sent</source>
<translation>gesendet</translation>
</message>
<message>
<source>sent elsewhere</source>
<translation>weitergeleitet</translation>
</message>
<message>
<source>sent, but no answer came</source>
<translation>gesendet, aber es kam keine Antwort</translation>
</message>
<message>
<source>sent, then undone</source>
<translation>gesendet, dann rückgängig gemacht</translation>
</message>
<message>
<source>server address url api key log in login add account</source>
<translation>server adresse url api key schlüssel anmelden login hinzufügen konto</translation>
</message>
<message>
<source>server address url api key password token certificate tls openapi colour name read-only forget options setup</source>
<translation>server adresse url api key schlüssel passwort kennwort token zertifikat tls openapi farbe name nur lesen entfernen optionen einrichten</translation>
</message>
<message>
<source>service busy for {left}</source>
<translation>Dienst ausgelastet, noch {left}</translation>
</message>
<message>
<source>set aside hold pending order phone call customer</source>
<translation>zurücklegen vormerken reservierung bestellung auftrag telefon anruf kunde kundin</translation>
</message>
<message>
<source>settings options setup configuration theme dark light mode night colours appearance language text font size data folder database files backup</source>
<translation>optionen einrichten konfiguration design thema dunkel hell nachtmodus farben aussehen sprache text schrift schriftgröße größe datenordner datenbank dateien sicherung backup</translation>
</message>
<message>
<source>shortcuts keyboard manual documentation legend icons</source>
<translation>tastenkürzel tastatur handbuch dokumentation legende symbole</translation>
</message>
<message>
<source>side pane panel sidebar</source>
<translation>seitenleiste bereich seite</translation>
</message>
<message>
<source>sold</source>
<translation>verkauft</translation>
</message>
<message numerus="yes">
<source>sold pets still have stock</source>
<translation>
<numerusform>verkauftes Tier hat noch Bestand</numerusform>
<numerusform>verkaufte Tiere haben noch Bestand</numerusform>
</translation>
</message>
<message>
<source>sold-with-stock  the pet is sold, and has stock</source>
<translation>verkauft-mit-bestand  das Tier ist verkauft und hat Bestand</translation>
</message>
<message>
<source>somebody else changes a record every {seconds} s</source>
<translation>jemand anderes ändert alle {seconds} s einen Datensatz</translation>
</message>
<message>
<source>starts at label {place}</source>
<translation>beginnt bei Etikett {place}</translation>
</message>
<message>
<source>status</source>
<translation>status</translation>
</message>
<message>
<source>status fulfil deliver done</source>
<translation>status erfüllen liefern fertig abschließen</translation>
</message>
<message>
<source>status {status}</source>
<translation>Status {status}</translation>
</message>
<message>
<source>stock</source>
<translation>Bestand</translation>
</message>
<message numerus="yes">
<source>stock entries below zero</source>
<translation>
<numerusform>Bestandseintrag unter null</numerusform>
<numerusform>Bestandseinträge unter null</numerusform>
</translation>
</message>
<message numerus="yes">
<source>stock entries without a pet</source>
<translation>
<numerusform>Bestandseintrag ohne Tier</numerusform>
<numerusform>Bestandseinträge ohne Tier</numerusform>
</translation>
</message>
<message>
<source>stock of pet {id}</source>
<translation>Bestand von Tier {id}</translation>
</message>
<message numerus="yes">
<source>stock of {n} pets changed</source>
<translation>
<numerusform>Bestand von {n} Tier geändert</numerusform>
<numerusform>Bestand von {n} Tieren geändert</numerusform>
</translation>
</message>
<message numerus="yes">
<source>stock of {n} pets changed by {pieces}</source>
<translation>
<numerusform>Bestand von {n} Tier geändert um {pieces}</numerusform>
<numerusform>Bestand von {n} Tieren geändert um {pieces}</numerusform>
</translation>
</message>
<message>
<source>stock set to {n}</source>
<translation>Bestand auf {n} gesetzt</translation>
</message>
<message>
<source>stock-without-pet  its pet does not exist</source>
<translation>bestand-ohne-tier  das Tier dazu gibt es nicht</translation>
</message>
<message>
<source>stopped</source>
<translation>angehalten</translation>
</message>
<message>
<source>stopped by the proxy</source>
<translation>vom Proxy gestoppt</translation>
</message>
<message>
<source>support bug report version system</source>
<translation>support fehlerbericht version system</translation>
</message>
<message>
<source>take back revert</source>
<translation>zurücknehmen widerrufen undo</translation>
</message>
<message>
<source>test after a pause</source>
<translation>Test nach einer Pause</translation>
</message>
<message>
<source>test doctor diagnose network internet proxy server offline trouble</source>
<translation>testen diagnose netzwerk internet proxy server offline störung problem</translation>
</message>
<message>
<source>testing once</source>
<translation>Testanfrage läuft</translation>
</message>
<message>
<source>that is set on this computer</source>
<translation>dieses Computers</translation>
</message>
<message>
<source>the CA file {path} cannot be read ({why}); nothing was changed</source>
<translation>die CA-Datei {path} ist nicht lesbar ({why}); es wurde nichts geändert</translation>
</message>
<message>
<source>the CA file {path} is larger than {megabytes} MB; nothing was changed. Give only the certificates of the authority that the service needs</source>
<translation>die CA-Datei {path} ist größer als {megabytes} MB; es wurde nichts geändert. Geben Sie nur die Zertifikate der Stelle an, die der Dienst braucht</translation>
</message>
<message>
<source>the OpenAPI document cannot be used ({code}, {why})</source>
<translation>das OpenAPI-Dokument ist nicht verwendbar ({code}, {why})</translation>
</message>
<message>
<source>the address holds a user name or password; give the key with --key-stdin instead</source>
<translation>die Adresse enthält einen Benutzernamen oder ein Passwort; geben Sie den Schlüssel stattdessen mit --key-stdin</translation>
</message>
<message>
<source>the answer holds no list of records.</source>
<translation>die Antwort enthält keine Liste von Datensätzen.</translation>
</message>
<message>
<source>the answer holds two lists, and does not say which one is meant.</source>
<translation>die Antwort enthält zwei Listen und sagt nicht, welche gemeint ist.</translation>
</message>
<message>
<source>the answer is larger than {mb} MB; reading was stopped there.</source>
<translation>die Antwort ist größer als {mb} MB; das Lesen wurde dort beendet.</translation>
</message>
<message>
<source>the answer is nested deeper than anything that can be read.</source>
<translation>die Antwort ist tiefer verschachtelt, als gelesen werden kann.</translation>
</message>
<message>
<source>the answer is not JSON, as data must be ({type}).</source>
<translation>die Antwort ist kein JSON, wie es für Daten nötig ist ({type}).</translation>
</message>
<message>
<source>the answer is not in UTF-8, the only encoding of JSON.</source>
<translation>die Antwort ist nicht in UTF-8, der einzigen Codierung von JSON.</translation>
</message>
<message>
<source>the answer is not one of this service.</source>
<translation>die Antwort ist keine dieses Dienstes.</translation>
</message>
<message>
<source>the answer is not valid HTTP: it broke off, or its head is too large.</source>
<translation>die Antwort ist kein gültiges HTTP: Sie brach ab, oder ihr Kopf ist zu groß.</translation>
</message>
<message>
<source>the answer is packed in a way that cannot be unpacked ({encoding}).</source>
<translation>die Antwort ist auf eine Weise gepackt, die nicht entpackt werden kann ({encoding}).</translation>
</message>
<message>
<source>the answer stops before its end.</source>
<translation>die Antwort bricht vor ihrem Ende ab.</translation>
</message>
<message>
<source>the answer was not complete in the time that a request has.</source>
<translation>die Antwort war in der Zeit, die eine Anfrage hat, nicht vollständig.</translation>
</message>
<message>
<source>the categories</source>
<translation>die Kategorien</translation>
</message>
<message>
<source>the changes could not be saved; nothing was sent</source>
<translation>die Änderungen konnten nicht gespeichert werden; es wurde nichts gesendet</translation>
</message>
<message>
<source>the characters of the file can be read in several ways; nothing was saved. Say how with --encoding, such as --encoding windows-1252, or save the file in UTF-8</source>
<translation>die Zeichen der Datei lassen sich auf mehrere Arten lesen; es wurde nichts gespeichert. Geben Sie die Codierung mit --encoding an, zum Beispiel --encoding windows-1252, oder speichern Sie die Datei in UTF-8</translation>
</message>
<message>
<source>the connection broke before the answer came.</source>
<translation>die Verbindung brach ab, bevor die Antwort kam.</translation>
</message>
<message>
<source>the dates can be read in two ways, 03/04 is 3 April or 4 March; nothing was saved. Say how with --dates dmy, mdy or ymd</source>
<translation>die Datumsangaben lassen sich auf zwei Arten lesen, 03/04 ist der 3. April oder der 4. März; es wurde nichts gespeichert. Geben Sie die Schreibweise mit --dates dmy, mdy oder ymd an</translation>
</message>
<message>
<source>the day is used up</source>
<translation>der Tag ist aufgebraucht</translation>
</message>
<message>
<source>the demo shop did not start: {why}</source>
<translation>das Demo-Geschäft ist nicht gestartet: {why}</translation>
</message>
<message>
<source>the demo shop is in its window alone, and no connection; `petstore-desktop demo-shop` runs one for commands, and says the address and the key for `petstore-desktop connect`</source>
<translation>das Demo-Geschäft gibt es nur in seinem Fenster, es ist keine Verbindung; `petstore-desktop demo-shop` startet eines für Befehle und nennt Adresse und Schlüssel für `petstore-desktop connect`</translation>
</message>
<message>
<source>the document {path} cannot be read</source>
<translation>das Dokument {path} ist nicht lesbar</translation>
</message>
<message>
<source>the file has wrong rows ({count}), and one that books in or out, or places orders, is imported whole or not at all; nothing was saved</source>
<translation>die Datei hat fehlerhafte Zeilen ({count}), und eine Datei mit Zu- und Abgängen oder neuen Bestellungen wird ganz oder gar nicht importiert; es wurde nichts gespeichert</translation>
</message>
<message>
<source>the file holds {found}, not {wanted}; nothing was saved</source>
<translation>die Datei enthält {found}, nicht {wanted}; es wurde nichts gespeichert</translation>
</message>
<message>
<source>the file of your changes is damaged: {path}; nothing was changed. `petstore-desktop sync`, or the window, sets it aside and lists what it still tells</source>
<translation>die Datei Ihrer Änderungen ist beschädigt: {path}; es wurde nichts geändert. `petstore-desktop sync` oder das Fenster legt sie beiseite und listet auf, was noch in ihr zu lesen ist</translation>
</message>
<message>
<source>the file of your changes was damaged and is kept as {file}; what was not sent yet ({count}) is listed in {list}, and is not sent by itself: make it again where it is missing</source>
<translation>die Datei Ihrer Änderungen war beschädigt und bleibt als {file} erhalten; was noch nicht gesendet war ({count}), steht in {list} und wird nicht von selbst gesendet: Geben Sie es neu ein, wo es fehlt</translation>
</message>
<message>
<source>the file {file} cannot be read; nothing was saved</source>
<translation>die Datei {file} lässt sich nicht lesen; es wurde nichts gespeichert</translation>
</message>
<message>
<source>the following arguments are required: {names}</source>
<translation>diese Angaben fehlen: {names}</translation>
</message>
<message>
<source>the key contains characters that cannot be sent; nothing was changed</source>
<translation>der Schlüssel enthält Zeichen, die nicht gesendet werden können; es wurde nichts geändert</translation>
</message>
<message>
<source>the key is banned</source>
<translation>der Schlüssel ist gesperrt</translation>
</message>
<message>
<source>the key is longer than 16,384 characters, which no service takes; nothing was changed</source>
<translation>der Schlüssel ist länger als 16.384 Zeichen, und so einen nimmt kein Dienst an; es wurde nichts geändert</translation>
</message>
<message>
<source>the key may not do this ({message})</source>
<translation>der Schlüssel darf das nicht ({message})</translation>
</message>
<message>
<source>the lines that are here</source>
<translation>die Zeilen, die hier stehen</translation>
</message>
<message>
<source>the list does not end: the service announced {total} records, and sent {met}. Reading stopped; the rows that came stay.</source>
<translation>die Liste endet nicht: Der Dienst hat {total} Datensätze angekündigt und {met} gesendet. Das Lesen wurde beendet; die angekommenen Zeilen bleiben.</translation>
</message>
<message>
<source>the list does not end: {met} records came. Reading stopped; these rows stay.</source>
<translation>die Liste endet nicht: {met} Datensätze sind angekommen. Das Lesen wurde beendet; diese Zeilen bleiben.</translation>
</message>
<message>
<source>the list may be {what} as well. Choose the list first: File &gt; Operations, or `connect --profile`</source>
<translation>die Liste könnte auch {what} sein. Wählen Sie zuerst die Liste: Datei &gt; Operationen, oder `connect --profile`</translation>
</message>
<message>
<source>the minute is used up</source>
<translation>die Minute ist aufgebraucht</translation>
</message>
<message>
<source>the name of one of its fields is a guess. Choose the name under File &gt; Operations &gt; Fields</source>
<translation>der Name eines der Felder ist geraten. Wählen Sie den Namen unter Datei &gt; Operationen &gt; Felder</translation>
</message>
<message>
<source>the next refresh waits</source>
<translation>die nächste Aktualisierung wartet</translation>
</message>
<message>
<source>the next refresh waits ({why})</source>
<translation>die nächste Aktualisierung wartet ({why})</translation>
</message>
<message>
<source>the numbers can be read in two ways, 1.200 is twelve hundred or 1 and a fraction; nothing was saved. Say how with --numbers point or comma</source>
<translation>die Zahlen lassen sich auf zwei Arten lesen, 1.200 ist eintausendzweihundert oder 1 mit Nachkommastellen; es wurde nichts gespeichert. Geben Sie die Schreibweise mit --numbers point oder comma an</translation>
</message>
<message>
<source>the old value is not known</source>
<translation>der alte Wert ist nicht bekannt</translation>
</message>
<message>
<source>the orders</source>
<translation>die Bestellungen</translation>
</message>
<message>
<source>the pets</source>
<translation>die Tiere</translation>
</message>
<message>
<source>the pet’s id</source>
<translation>ID des Tiers</translation>
</message>
<message>
<source>the pet’s name, as there is no column with ids</source>
<translation>Name des Tiers, da es keine Spalte mit IDs gibt</translation>
</message>
<message>
<source>the plan {plan} has its own limits; --per-minute and --per-day go with --plan enterprise, or with a connection whose plan is not known</source>
<translation>der Tarif {plan} hat eigene Limits; --per-minute und --per-day gehören zu --plan enterprise oder zu einer Verbindung, deren Tarif nicht bekannt ist</translation>
</message>
<message>
<source>the program is already running on {path}; use its window, or close it first</source>
<translation>das Programm läuft schon mit {path}; verwenden Sie sein Fenster oder schließen Sie es zuerst</translation>
</message>
<message>
<source>the program that runs on this data folder has not opened {name}; open it there (Shop &gt; Switch to another shop), or close the program. Nothing was saved</source>
<translation>das Programm, das mit diesem Datenordner läuft, hat {name} nicht geöffnet; öffnen Sie es dort (Geschäft &gt; Geschäft wechseln) oder schließen Sie das Programm. Es wurde nichts gespeichert</translation>
</message>
<message>
<source>the program that runs on this data folder is of another version; close it first. Nothing was saved</source>
<translation>das Programm, das mit diesem Datenordner läuft, hat eine andere Version; schließen Sie es zuerst. Es wurde nichts gespeichert</translation>
</message>
<message>
<source>the quantity would be larger than a service can hold</source>
<translation>die Menge wäre größer, als ein Dienst aufnehmen kann</translation>
</message>
<message>
<source>the record in the answer cannot be read: {why}.</source>
<translation>der Datensatz in der Antwort kann nicht gelesen werden: {why}.</translation>
</message>
<message>
<source>the record in the service’s answer cannot be read: {why}</source>
<translation>der Datensatz in der Antwort des Dienstes kann nicht gelesen werden: {why}</translation>
</message>
<message>
<source>the record is different</source>
<translation>der Datensatz ist anders</translation>
</message>
<message>
<source>the record is gone from the service</source>
<translation>der Datensatz ist beim Dienst nicht mehr vorhanden</translation>
</message>
<message>
<source>the record is gone, or the service has removed this</source>
<translation>der Datensatz ist nicht mehr vorhanden, oder der Dienst hat dies entfernt</translation>
</message>
<message>
<source>the record that it belongs to was never created</source>
<translation>der Datensatz, zu dem es gehört, wurde nie angelegt</translation>
</message>
<message>
<source>the request</source>
<translation>die Anfrage</translation>
</message>
<message>
<source>the rest of today’s requests is kept for your changes</source>
<translation>der Rest der heutigen Anfragen bleibt für Ihre Änderungen</translation>
</message>
<message>
<source>the service</source>
<translation>der Dienst</translation>
</message>
<message>
<source>the service answered with an error instead of data.</source>
<translation>der Dienst hat statt mit Daten mit einem Fehler geantwortet.</translation>
</message>
<message>
<source>the service answered with an error, and nothing was changed</source>
<translation>der Dienst hat mit einem Fehler geantwortet, und nichts wurde geändert</translation>
</message>
<message>
<source>the service answered with record {id}, which may have been changed instead. Look at both records</source>
<translation>der Dienst hat mit Datensatz {id} geantwortet, der vielleicht stattdessen geändert wurde. Sehen Sie sich beide Datensätze an</translation>
</message>
<message>
<source>the service answered with the old value</source>
<translation>der Dienst hat mit dem alten Wert geantwortet</translation>
</message>
<message>
<source>the service answered {status}: {message}</source>
<translation>der Dienst hat {status} geantwortet: {message}</translation>
</message>
<message>
<source>the service asked to wait</source>
<translation>der Dienst hat gebeten zu warten</translation>
</message>
<message>
<source>the service asks to wait ({message}); nothing more is sent until then</source>
<translation>der Dienst bittet zu warten ({message}); bis dahin wird nichts mehr gesendet</translation>
</message>
<message>
<source>the service cannot be reached</source>
<translation>der Dienst ist nicht erreichbar</translation>
</message>
<message>
<source>the service changed something else as well: {theirs}</source>
<translation>der Dienst hat noch etwas anderes geändert: {theirs}</translation>
</message>
<message>
<source>the service did not say that it was done, and nothing was changed</source>
<translation>der Dienst hat nicht gemeldet, dass es erledigt ist, und nichts wurde geändert</translation>
</message>
<message>
<source>the service did only a part of it. Still as before: {theirs}</source>
<translation>der Dienst hat nur einen Teil davon ausgeführt. Noch wie zuvor: {theirs}</translation>
</message>
<message>
<source>the service did something else than was sent with an earlier change of this kind. Decide about that one, or send this again</source>
<translation>bei einer früheren Änderung dieser Art hat der Dienst etwas anderes getan, als gesendet wurde. Entscheiden Sie über jene oder senden Sie diese erneut</translation>
</message>
<message>
<source>the service does not accept the key</source>
<translation>der Dienst nimmt den Schlüssel nicht an</translation>
</message>
<message>
<source>the service does not show this record, so it cannot be changed safely</source>
<translation>der Dienst zeigt diesen Datensatz nicht, deshalb kann er nicht sicher geändert werden</translation>
</message>
<message>
<source>the service emptied what was not to be changed: {theirs}</source>
<translation>der Dienst hat geleert, was nicht geändert werden sollte: {theirs}</translation>
</message>
<message>
<source>the service has no such record</source>
<translation>der Dienst hat diesen Datensatz nicht</translation>
</message>
<message>
<source>the service has removed this</source>
<translation>der Dienst hat dies entfernt</translation>
</message>
<message>
<source>the service has something else than was sent: {theirs}</source>
<translation>der Dienst hat etwas anderes, als gesendet wurde: {theirs}</translation>
</message>
<message>
<source>the service redirected it to {target}, which the program does not follow</source>
<translation>der Dienst leitete an {target} weiter, und das Programm folgt nicht</translation>
</message>
<message>
<source>the service redirects in a circle; check the address, or ask its provider</source>
<translation>der Dienst leitet im Kreis weiter; prüfen Sie die Adresse oder fragen Sie seinen Betreiber</translation>
</message>
<message>
<source>the service redirects to {target}; the program does not follow, and neither request nor key went there. If it has moved, give its new address with `connect --url`</source>
<translation>der Dienst leitet an {target} weiter; das Programm folgt nicht, und weder Anfrage noch Schlüssel gingen dorthin. Ist er umgezogen, geben Sie seine neue Adresse mit `connect --url` an</translation>
</message>
<message>
<source>the service redirects, but does not say where to; ask its provider for the new address, and give it with `connect --url`</source>
<translation>der Dienst leitet weiter, sagt aber nicht, wohin; fragen Sie seinen Betreiber nach der neuen Adresse und geben Sie sie mit `connect --url` an</translation>
</message>
<message>
<source>the service rejected the key ({message}); nothing was lost. Give another with `connect --key-stdin`</source>
<translation>der Dienst hat den Schlüssel abgelehnt ({message}); es ging nichts verloren. Geben Sie mit `connect --key-stdin` einen anderen an</translation>
</message>
<message>
<source>the service rejected the key in PETSTORE_API_KEY ({message}); nothing was lost. Put another one in that variable, or unset it to use the key in the keyring</source>
<translation>der Dienst hat den Schlüssel in PETSTORE_API_KEY abgelehnt ({message}); es ging nichts verloren. Setzen Sie diese Variable auf einen anderen oder löschen Sie sie, damit der Schlüssel im Schlüsselbund gilt</translation>
</message>
<message>
<source>the service rejected the key {key} ({message}); nothing was lost. Give another with `connect --further-key`</source>
<translation>der Dienst hat den Schlüssel {key} abgelehnt ({message}); es ging nichts verloren. Geben Sie mit `connect --further-key` einen anderen an</translation>
</message>
<message>
<source>the service says that the record is gone, and still shows it</source>
<translation>der Dienst sagt, der Datensatz sei nicht mehr da, und zeigt ihn noch immer</translation>
</message>
<message>
<source>the service sent an empty answer instead of data.</source>
<translation>der Dienst hat statt Daten eine leere Antwort gesendet.</translation>
</message>
<message>
<source>the service showed another record than the one asked for</source>
<translation>der Dienst hat einen anderen Datensatz gezeigt als den gewünschten</translation>
</message>
<message>
<source>the service stopped answering before the answer was complete.</source>
<translation>der Dienst hat aufgehört zu antworten, bevor die Antwort vollständig war.</translation>
</message>
<message>
<source>the service takes no requests just now</source>
<translation>der Dienst nimmt gerade keine Anfragen an</translation>
</message>
<message>
<source>the service wants another key too: {key}; give it with `connect --further-key`</source>
<translation>der Dienst verlangt noch einen Schlüssel: {key}; geben Sie ihn mit `connect --further-key` an</translation>
</message>
<message>
<source>the service wants the whole record, and it has not been read yet</source>
<translation>der Dienst verlangt den ganzen Datensatz, und der ist noch nicht gelesen</translation>
</message>
<message>
<source>the service’s answer broke off</source>
<translation>die Antwort des Dienstes brach ab</translation>
</message>
<message>
<source>the service’s answer could not be read</source>
<translation>die Antwort des Dienstes konnte nicht gelesen werden</translation>
</message>
<message>
<source>the service’s answer could not be read, and nothing was changed</source>
<translation>die Antwort des Dienstes konnte nicht gelesen werden, und nichts wurde geändert</translation>
</message>
<message>
<source>the service’s answer held no list</source>
<translation>die Antwort des Dienstes enthielt keine Liste</translation>
</message>
<message>
<source>the service’s answer was empty</source>
<translation>die Antwort des Dienstes war leer</translation>
</message>
<message>
<source>the service’s answer was too large</source>
<translation>die Antwort des Dienstes war zu groß</translation>
</message>
<message>
<source>the stock</source>
<translation>die Bestände</translation>
</message>
<message>
<source>the system’s</source>
<translation>die des Systems</translation>
</message>
<message>
<source>the variable PETSTORE_API_KEY</source>
<translation>die Variable PETSTORE_API_KEY</translation>
</message>
<message>
<source>there are changes for the service at {address}, which this connection used before ({count}); they are kept in {path} and are sent when the connection has that address again</source>
<translation>es gibt Änderungen für den Dienst unter {address}, den diese Verbindung zuvor verwendet hat ({count}); sie bleiben in {path} und werden gesendet, wenn die Verbindung wieder diese Adresse hat</translation>
</message>
<message>
<source>there is no connection called {name}; `petstore-desktop connections` lists them</source>
<translation>es gibt keine Verbindung namens {name}; `petstore-desktop connections` zählt sie auf</translation>
</message>
<message>
<source>there is no connection called {name}; did you mean {alike}? `petstore-desktop connections` lists them</source>
<translation>es gibt keine Verbindung namens {name}; meinten Sie {alike}? `petstore-desktop connections` zählt sie auf</translation>
</message>
<message>
<source>there is no file {file}; nothing was saved</source>
<translation>die Datei {file} gibt es nicht; es wurde nichts gespeichert</translation>
</message>
<message>
<source>there is no file {path}; nothing was changed. Give a file with certificates in PEM form</source>
<translation>es gibt keine Datei {path}; es wurde nichts geändert. Geben Sie eine Datei mit Zertifikaten im PEM-Format an</translation>
</message>
<message>
<source>there is no key for {name}, so nothing was sent</source>
<translation>für {name} gibt es keinen Schlüssel, darum wurde nichts gesendet</translation>
</message>
<message>
<source>there is no key for {name}; give it with `petstore-desktop connect {typed} --url {url} --key-stdin`</source>
<translation>für {name} gibt es keinen Schlüssel; geben Sie ihn mit `petstore-desktop connect {typed} --url {url} --key-stdin` an</translation>
</message>
<message>
<source>there is no key that works</source>
<translation>es gibt keinen gültigen Schlüssel</translation>
</message>
<message>
<source>there is no network, or the service is away</source>
<translation>es gibt kein Netzwerk, oder der Dienst ist nicht erreichbar</translation>
</message>
<message>
<source>there is no pet {pet}; did you mean {could}?</source>
<translation>es gibt kein Tier {pet}; meinten Sie {could}?</translation>
</message>
<message>
<source>there is no pet {pet}; give its id, or its name as it is written in the list</source>
<translation>es gibt kein Tier {pet}; geben Sie seine ID an oder seinen Namen, wie er in der Liste steht</translation>
</message>
<message>
<source>there is no profile {path}, and no such file; those that come with the program are called {names}</source>
<translation>es gibt weder ein Profil {path} noch eine solche Datei; die mitgelieferten heißen {names}</translation>
</message>
<message>
<source>there is nothing to decide about it</source>
<translation>darüber ist nichts zu entscheiden</translation>
</message>
<message>
<source>there was no look at the record shortly before it, because answers or the limit of requests took too long, and a change by somebody else could have been overwritten. Sent again, it rests on what was last seen</source>
<translation>der Datensatz konnte kurz davor nicht gelesen werden, weil Antworten oder das Anfragelimit zu lange brauchten, und eine Änderung von jemand anderem hätte überschrieben werden können. Beim erneuten Senden wird das zuletzt Gesehene zugrunde gelegt</translation>
</message>
<message numerus="yes">
<source>these {n} filters</source>
<translation>
<numerusform>diesem {n} Filter</numerusform>
<numerusform>diesen {n} Filtern</numerusform>
</translation>
</message>
<message>
<source>they were entered before the program was started; change or remove a line itself</source>
<translation>sie wurden eingegeben, bevor das Programm gestartet wurde; ändern oder entfernen Sie die Zeile selbst</translation>
</message>
<message>
<source>this address belongs to another server than the service's own; nothing was sent there</source>
<translation>diese Adresse gehört zu einem anderen Server als dem des Dienstes; dorthin wurde nichts gesendet</translation>
</message>
<message>
<source>this answer could not be written to standard output ({why})</source>
<translation>diese Antwort ließ sich nicht auf die Standardausgabe schreiben ({why})</translation>
</message>
<message>
<source>this cannot be understood ({code})</source>
<translation>das ist nicht zu verstehen ({code})</translation>
</message>
<message>
<source>this computer has no keyring that can store a key; nothing was stored, neither key nor connection. Connect without --key-stdin, and give the key in the variable PETSTORE_API_KEY or in the window</source>
<translation>dieser Computer hat keinen Schlüsselbund, der einen Schlüssel speichern kann; es wurde nichts gespeichert, weder Schlüssel noch Verbindung. Verbinden Sie sich ohne --key-stdin und geben Sie den Schlüssel in der Variablen PETSTORE_API_KEY oder im Fenster an</translation>
</message>
<message>
<source>this service does not bring back what was deleted</source>
<translation>dieser Dienst bringt nicht zurück, was gelöscht wurde</translation>
</message>
<message>
<source>this service does not delete what was created</source>
<translation>dieser Dienst löscht nicht, was angelegt wurde</translation>
</message>
<message>
<source>this service does not offer it</source>
<translation>dieser Dienst bietet es nicht an</translation>
</message>
<message>
<source>this service does not offer that</source>
<translation>dieser Dienst bietet das nicht an</translation>
</message>
<message>
<source>this service no longer takes such changes</source>
<translation>dieser Dienst nimmt solche Änderungen nicht mehr an</translation>
</message>
<message>
<source>timed out</source>
<translation>Zeit abgelaufen</translation>
</message>
<message>
<source>times in {zone}</source>
<translation>Zeiten in {zone}</translation>
</message>
<message>
<source>to ship on {day}</source>
<translation>Versand am {day}</translation>
</message>
<message>
<source>today</source>
<translation>heute</translation>
</message>
<message>
<source>today</source>
<comment>a ship date</comment>
<translation>heute</translation>
</message>
<message>
<source>today   yesterday   tomorrow   this week   last week   next week   this month   last month</source>
<translation>heute   gestern   morgen   diese Woche   letzte Woche   nächste Woche   dieser Monat   letzter Monat</translation>
</message>
<message>
<source>today included</source>
<translation>mit heute</translation>
</message>
<message>
<source>tomorrow</source>
<comment>a ship date</comment>
<translation>morgen</translation>
</message>
<message>
<source>too many requests</source>
<translation>zu viele Anfragen</translation>
</message>
<message>
<source>took too long</source>
<translation>dauerte zu lange</translation>
</message>
<message>
<source>unchanged</source>
<translation>unverändert</translation>
</message>
<message>
<source>unclear, read only</source>
<translation>unklar, nur lesbar</translation>
</message>
<message>
<source>unconfirmed</source>
<translation>unbestätigt</translation>
</message>
<message>
<source>undone</source>
<translation>rückgängig gemacht</translation>
</message>
<message>
<source>unfreeze unpin unlock frozen panes</source>
<translation>lösen freigeben entsperren einfrieren</translation>
</message>
<message>
<source>unknown</source>
<translation>unbekannt</translation>
</message>
<message>
<source>unknown type</source>
<translation>unbekannter Typ</translation>
</message>
<message>
<source>unrecognized arguments: {words}</source>
<translation>unbekannte Angaben: {words}</translation>
</message>
<message>
<source>unsent  saved on this computer, not sent</source>
<translation>nicht-gesendet  auf diesem Computer gespeichert, noch nicht gesendet</translation>
</message>
<message>
<source>until {time}</source>
<translation>bis {time}</translation>
</message>
<message numerus="yes">
<source>up to {n} requests</source>
<translation>
<numerusform>bis zu {n} Anfrage</numerusform>
<numerusform>bis zu {n} Anfragen</numerusform>
</translation>
</message>
<message>
<source>used</source>
<comment>of a place on a sheet of labels</comment>
<translation>benutzt</translation>
</message>
<message>
<source>various</source>
<comment>several different changes</comment>
<translation>Verschiedenes</translation>
</message>
<message>
<source>verify fresh current now</source>
<translation>überprüfen frisch aktuell jetzt</translation>
</message>
<message>
<source>version licence license information</source>
<translation>version lizenz informationen info</translation>
</message>
<message>
<source>versions past earlier audit</source>
<translation>historie versionen vergangenheit früher</translation>
</message>
<message>
<source>views</source>
<comment>the name of a file</comment>
<translation>Ansichten</translation>
</message>
<message>
<source>waiting</source>
<translation>wartet</translation>
</message>
<message>
<source>waits</source>
<translation>wartet</translation>
</message>
<message>
<source>waits ({why})</source>
<translation>wartet ({why})</translation>
</message>
<message>
<source>waits for its turn</source>
<translation>wartet, bis sie an der Reihe ist</translation>
</message>
<message>
<source>waits for its turn, until {time}</source>
<translation>wartet bis {time}, bis sie an der Reihe ist</translation>
</message>
<message>
<source>waits for the minute’s requests</source>
<translation>wartet auf die Anfragen der nächsten Minute</translation>
</message>
<message>
<source>waits for the minute’s requests, until {time}</source>
<translation>wartet bis {time} auf die Anfragen der nächsten Minute</translation>
</message>
<message>
<source>waits for the next day’s requests</source>
<translation>wartet auf die Anfragen des nächsten Tages</translation>
</message>
<message>
<source>waits for the next day’s requests, until {time}</source>
<translation>wartet bis {time} auf die Anfragen des nächsten Tages</translation>
</message>
<message>
<source>waits until sending resumes</source>
<translation>wartet, bis das Senden fortgesetzt wird</translation>
</message>
<message>
<source>waits until the service can be reached</source>
<translation>wartet, bis der Dienst erreichbar ist</translation>
</message>
<message>
<source>weekly monthly week month pdf paper printer figures summary statistics</source>
<translation>wöchentlich monatlich woche monat pdf papier drucker zahlen zusammenfassung statistik auswertung</translation>
</message>
<message>
<source>what is kept on this computer is unchanged</source>
<translation>was auf diesem Computer ist, bleibt unverändert</translation>
</message>
<message>
<source>what was sent is not what the service shows now, of records: {met}. It said that it did it and did not, or somebody changed them since.</source>
<translation>was gesendet wurde, ist nicht, was der Dienst jetzt zeigt, bei Datensätzen: {met}. Er sagte, dass er es getan hat, und tat es nicht, oder jemand hat sie seither geändert.</translation>
</message>
<message>
<source>width order default restore</source>
<translation>breite reihenfolge standard wiederherstellen</translation>
</message>
<message>
<source>width resize</source>
<translation>breite spaltenbreite größe</translation>
</message>
<message>
<source>with other statuses</source>
<translation>mit anderem Status</translation>
</message>
<message>
<source>without a name</source>
<translation>ohne Namen</translation>
</message>
<message>
<source>without a status</source>
<translation>ohne Status</translation>
</message>
<message>
<source>without-category  it has none, or one that does not exist</source>
<translation>ohne-kategorie  es hat keine oder eine, die es nicht gibt</translation>
</message>
<message>
<source>wrong</source>
<translation>fehlerhaft</translation>
</message>
<message>
<source>yes</source>
<translation>ja</translation>
</message>
<message>
<source>yesterday</source>
<translation>gestern</translation>
</message>
<message>
<source>yesterday {time}</source>
<translation>gestern {time}</translation>
</message>
<message>
<source>your changes go first</source>
<translation>Ihre Änderungen gehen vor</translation>
</message>
<message>
<source>{action}: {job}</source>
<translation>{action}: {job}</translation>
</message>
<message>
<source>{action}: {why}</source>
<translation>{action}: {why}</translation>
</message>
<message numerus="yes">
<source>{added}, {n} cannot be used</source>
<translation>
<numerusform>{added}, {n} kann nicht verwendet werden</numerusform>
<numerusform>{added}, {n} können nicht verwendet werden</numerusform>
</translation>
</message>
<message>
<source>{address} is not an http(s) address; give the service's base address, such as https://shop.example/v1</source>
<translation>{address} ist keine http(s)-Adresse; geben Sie die Basisadresse des Dienstes an, zum Beispiel https://shop.example/v1</translation>
</message>
<message>
<source>{alike}, but only by its fields: it is not used unless you choose it.</source>
<translation>{alike}, aber nur nach den Feldern: Verwendet wird es nur, wenn Sie es wählen.</translation>
</message>
<message>
<source>{answer}, then {why}</source>
<translation>{answer}, dann {why}</translation>
</message>
<message>
<source>{banned} Your changes are saved on this computer.</source>
<translation>{banned} Ihre Änderungen sind auf diesem Computer gespeichert.</translation>
</message>
<message>
<source>{base} at the shop</source>
<translation>{base} im Geschäft</translation>
</message>
<message>
<source>{before} → {after}</source>
<translation>{before} → {after}</translation>
</message>
<message numerus="yes">
<source>{bound} of {n} operations can be used.</source>
<translation>
<numerusform>{bound} von {n} Operation kann verwendet werden.</numerusform>
<numerusform>{bound} von {n} Operationen können verwendet werden.</numerusform>
</translation>
</message>
<message>
<source>{category} {n} of {total}</source>
<translation>{category} {n} von {total}</translation>
</message>
<message>
<source>{category}, {id}</source>
<translation>{category}, {id}</translation>
</message>
<message numerus="yes">
<source>{changes} are not sent yet and will never be.</source>
<translation>
<numerusform>{changes} ist noch nicht gesendet und wird nie gesendet werden.</numerusform>
<numerusform>{changes} sind noch nicht gesendet und werden nie gesendet werden.</numerusform>
</translation>
</message>
<message>
<source>{changes} discarded</source>
<translation>{changes} verworfen</translation>
</message>
<message>
<source>{changes} not sent yet are counted in.</source>
<translation>Mitgezählt, obwohl noch nicht gesendet: {changes}.</translation>
</message>
<message>
<source>{changes} sent</source>
<translation>{changes} gesendet</translation>
</message>
<message>
<source>{changes} to send</source>
<translation>{changes} zu senden</translation>
</message>
<message numerus="yes">
<source>{changes} were not sent.</source>
<translation>
<numerusform>{changes} wurde nicht gesendet.</numerusform>
<numerusform>{changes} wurden nicht gesendet.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{change} and {n} more changes</source>
<translation>
<numerusform>{change} und {n} weitere Änderung</numerusform>
<numerusform>{change} und {n} weitere Änderungen</numerusform>
</translation>
</message>
<message>
<source>{change} not sent</source>
<translation>{change} nicht gesendet</translation>
</message>
<message>
<source>{change} since, which stays</source>
<translation>{change} seitdem, das bleibt</translation>
</message>
<message>
<source>{chip} of {record}</source>
<translation>{chip} bei {record}</translation>
</message>
<message>
<source>{code} is forgotten</source>
<translation>{code} ist entfernt</translation>
</message>
<message>
<source>{code} is {pet} from now on</source>
<translation>{code} ist ab jetzt {pet}</translation>
</message>
<message>
<source>{code}: {pets}</source>
<translation>{code}: {pets}</translation>
</message>
<message>
<source>{column} cannot be edited here.</source>
<translation>{column} kann hier nicht bearbeitet werden.</translation>
</message>
<message>
<source>{column}: sum {sum}</source>
<translation>{column}: Summe {sum}</translation>
</message>
<message>
<source>{column}: sum {sum}, {least} to {most}</source>
<translation>{column}: Summe {sum}, {least} bis {most}</translation>
</message>
<message numerus="yes">
<source>{column}: {n} numbers, sum {sum}, least {least}, most {most}</source>
<translation>
<numerusform>{column}: {n} Zahl, Summe {sum}, kleinste {least}, größte {most}</numerusform>
<numerusform>{column}: {n} Zahlen, Summe {sum}, kleinste {least}, größte {most}</numerusform>
</translation>
</message>
<message>
<source>{column}: {why}</source>
<translation>{column}: {why}</translation>
</message>
<message numerus="yes">
<source>{counts} and {n} others</source>
<translation>
<numerusform>{counts} und {n} weiteres</numerusform>
<numerusform>{counts} und {n} weitere</numerusform>
</translation>
</message>
<message>
<source>{count} in stock since {time}, {before} before.</source>
<translation>{count} im Bestand seit {time}, vorher {before}.</translation>
</message>
<message>
<source>{count} in stock since {time}.</source>
<translation>{count} im Bestand seit {time}.</translation>
</message>
<message>
<source>{count} of {total} changes</source>
<comment>the last line of a file</comment>
<translation>{count} von {total} Änderungen</translation>
</message>
<message>
<source>{count} pets could be meant by {pet}: {could}; give the id with a # before it</source>
<translation>mit {pet} könnten {count} Tiere gemeint sein: {could}; geben Sie die ID mit einem # davor an</translation>
</message>
<message>
<source>{count} {status}</source>
<translation>{count} {status}</translation>
</message>
<message>
<source>{count} {words}</source>
<translation>{count} {words}</translation>
</message>
<message>
<source>{count}, to ship on {day}</source>
<translation>{count}, Versand am {day}</translation>
</message>
<message>
<source>{days} late</source>
<translation>{days} überfällig</translation>
</message>
<message>
<source>{days} {hours}</source>
<translation>{days} {hours}</translation>
</message>
<message>
<source>{day}   &gt;{day}   {day}..{last}</source>
<translation>{day}   &gt;{day}   {day}..{last}</translation>
</message>
<message numerus="yes">
<source>{day} was {n} days ago.</source>
<translation>
<numerusform>{day} war gestern.</numerusform>
<numerusform>{day} war vor {n} Tagen.</numerusform>
</translation>
</message>
<message>
<source>{day} {time}</source>
<translation>{day}, {time}</translation>
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
<translation>{day}: keine Bestellungen</translation>
</message>
<message>
<source>{day}: {counts}</source>
<translation>{day}: {counts}</translation>
</message>
<message numerus="yes">
<source>{done} of {n} labels</source>
<comment>painted</comment>
<translation>
<numerusform>{done} von {n} Etikett</numerusform>
<numerusform>{done} von {n} Etiketten</numerusform>
</translation>
</message>
<message>
<source>{done} of {total}</source>
<translation>{done} von {total}</translation>
</message>
<message>
<source>{done}. Nothing more of this kind is sent until you send this again</source>
<translation>{done}. Von dieser Art wird nichts mehr gesendet, bis Sie dies erneut senden</translation>
</message>
<message>
<source>{endpoint} (careful: {why})</source>
<translation>{endpoint} (Vorsicht: {why})</translation>
</message>
<message>
<source>{endpoint} looks like {things}</source>
<translation>{endpoint} sieht aus wie {things}</translation>
</message>
<message>
<source>{endpoint} was not taken: {why}.</source>
<translation>{endpoint} wurde nicht verwendet: {why}.</translation>
</message>
<message>
<source>{field} is {value}</source>
<translation>{field} ist {value}</translation>
</message>
<message>
<source>{field} of {record}</source>
<translation>{field} von {record}</translation>
</message>
<message>
<source>{field} of {things} is read as {name}, and written as {written}.</source>
<translation>{field} in {things} wird als {name} gelesen und als {written} geschrieben.</translation>
</message>
<message>
<source>{field} of {things} is read from {name}, a guess by its name; choose it in File &gt; Operations to change it.</source>
<translation>{field} ({things}) wird aus {name} gelesen, was nach dem Namen geraten ist. Um das Feld ändern zu können, wählen Sie es unter Datei &gt; Operationen.</translation>
</message>
<message>
<source>{field} {change}</source>
<comment>a field and by how much it changes</comment>
<translation>{field} {change}</translation>
</message>
<message>
<source>{field}: {value}</source>
<translation>{field}: {value}</translation>
</message>
<message>
<source>{file} (of the service at {address})</source>
<translation>{file} (des Dienstes unter {address})</translation>
</message>
<message>
<source>{file} cannot be read or written.</source>
<translation>{file} kann nicht gelesen oder geschrieben werden.</translation>
</message>
<message>
<source>{file} could not be upgraded for this version of the program.</source>
<translation>{file} konnte nicht auf diese Version des Programms umgestellt werden.</translation>
</message>
<message>
<source>{file} is damaged.</source>
<translation>{file} ist beschädigt.</translation>
</message>
<message>
<source>{file} is in use by another program.</source>
<translation>{file} wird von einem anderen Programm verwendet.</translation>
</message>
<message>
<source>{file} is not a file: it is a folder, a pipe, a device, or a link that leads nowhere.</source>
<translation>{file} ist keine Datei, sondern ein Ordner, eine Pipe, ein Gerät oder ein Link, der ins Leere führt.</translation>
</message>
<message>
<source>{file} is not there any more.</source>
<translation>{file} ist nicht mehr vorhanden.</translation>
</message>
<message>
<source>{file} is write-protected.</source>
<translation>{file} ist schreibgeschützt.</translation>
</message>
<message>
<source>{file} was written by a later version of this program.</source>
<translation>{file} wurde von einer neueren Version dieses Programms geschrieben.</translation>
</message>
<message>
<source>{filters}: clear all filters.</source>
<translation>{filters}: alle Filter aufheben.</translation>
</message>
<message>
<source>{filter}: clear this filter.</source>
<translation>{filter}: diesen Filter aufheben.</translation>
</message>
<message>
<source>{first} – {last}</source>
<comment>from one day to another</comment>
<translation>{first} – {last}</translation>
</message>
<message>
<source>{found} of {all}</source>
<translation>{found} von {all}</translation>
</message>
<message>
<source>{group}, collapsed</source>
<translation>{group}, zugeklappt</translation>
</message>
<message>
<source>{group}, expanded</source>
<translation>{group}, aufgeklappt</translation>
</message>
<message>
<source>{head}, {note}</source>
<translation>{head}, {note}</translation>
</message>
<message>
<source>{head}: {names}</source>
<translation>{head}: {names}</translation>
</message>
<message numerus="yes">
<source>{head}: {n}</source>
<translation>
<numerusform>{head}: {n}</numerusform>
<numerusform>{head}: {n}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{head}: {n}, {names}</source>
<translation>
<numerusform>{head}: {n}, {names}</numerusform>
<numerusform>{head}: {n}, {names}</numerusform>
</translation>
</message>
<message>
<source>{host} answers without encryption at this port.</source>
<translation>{host} antwortet an diesem Port ohne Verschlüsselung.</translation>
</message>
<message>
<source>{host} broke off before the connection was secure.</source>
<translation>{host} hat abgebrochen, bevor die Verbindung sicher war.</translation>
</message>
<message>
<source>{host} cannot be looked up: this computer seems to be offline.</source>
<translation>{host} wurde nicht gefunden: Dieser Computer ist anscheinend offline.</translation>
</message>
<message>
<source>{host} cannot be reached ({why}); nothing was sent. It is tried again by itself</source>
<translation>{host} ist nicht erreichbar ({why}); es wurde nichts gesendet. Es wird von selbst wieder versucht</translation>
</message>
<message>
<source>{host} cannot be reached.</source>
<translation>{host} ist nicht erreichbar.</translation>
</message>
<message>
<source>{host} cannot be reached: nothing answers there. It may be down, or the port wrong.</source>
<translation>{host} ist nicht erreichbar: Dort antwortet nichts. Vielleicht ist der Server außer Betrieb oder der Port falsch.</translation>
</message>
<message>
<source>{host} did not answer in time.</source>
<translation>{host} hat nicht rechtzeitig geantwortet.</translation>
</message>
<message>
<source>{host} offers only outdated encryption, which is no longer safe.</source>
<translation>{host} bietet nur eine veraltete Verschlüsselung an, die nicht mehr sicher ist.</translation>
</message>
<message>
<source>{hours} {minutes}</source>
<translation>{hours} {minutes}</translation>
</message>
<message>
<source>{job}: {done}</source>
<translation>{job} – {done}</translation>
</message>
<message>
<source>{key} (header {name})</source>
<translation>{key} (Header {name})</translation>
</message>
<message>
<source>{key} (in the address, as {name})</source>
<translation>{key} (in der Adresse, als {name})</translation>
</message>
<message>
<source>{kind}: {sum}</source>
<comment>the title of a list of changes</comment>
<translation>{kind}: {sum}</translation>
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
<translation>{label}: {text}</translation>
</message>
<message>
<source>{left} left</source>
<translation>{left} übrig</translation>
</message>
<message>
<source>{left} left, {ends}</source>
<translation>{left} übrig, {ends}</translation>
</message>
<message>
<source>{left} of {limit} are left, for Refresh and Check live.</source>
<translation>{left} von {limit} sind übrig, für Aktualisieren und Live prüfen.</translation>
</message>
<message>
<source>{left} of {limit} left</source>
<translation>{left} von {limit} übrig</translation>
</message>
<message>
<source>{length} ahead of this computer’s</source>
<translation>gegenüber diesem Computer {length} vor</translation>
</message>
<message>
<source>{length} behind this computer’s</source>
<translation>gegenüber diesem Computer {length} nach</translation>
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
<translation>{line} · der Dienst zählt {counts}, {age}</translation>
</message>
<message>
<source>{list}, {field}: not found in the service’s records.</source>
<translation>{list}, {field}: in den Datensätzen des Dienstes nicht gefunden.</translation>
</message>
<message>
<source>{list}, {field}: read from {name}, which is a guess. To change it here, choose the name.</source>
<translation>{list}, {field}: gelesen aus {name}, was geraten ist. Um das Feld hier ändern zu können, wählen Sie den Namen.</translation>
</message>
<message>
<source>{list}, {field}: read from {name}.</source>
<translation>{list}, {field}: gelesen aus {name}.</translation>
</message>
<message>
<source>{list}: the program cannot tell which record a change would reach, because {name} can mean two things. A profile settles it.</source>
<translation>{list}: Das Programm kann nicht erkennen, welchen Datensatz eine Änderung träfe, weil {name} zweierlei bedeuten kann. Ein Profil klärt es.</translation>
</message>
<message>
<source>{low} of {total}</source>
<translation>{low} von {total}</translation>
</message>
<message>
<source>{more}: {title}</source>
<translation>{more}: {title}</translation>
</message>
<message>
<source>{names} and {last}</source>
<translation>{names} und {last}</translation>
</message>
<message numerus="yes">
<source>{names} and {n} more</source>
<translation>
<numerusform>{names} und noch {n}</numerusform>
<numerusform>{names} und {n} weitere</numerusform>
</translation>
</message>
<message>
<source>{names} and {n} more categories</source>
<translation>{names} und {n} weitere Kategorien</translation>
</message>
<message>
<source>{names}: {said}</source>
<translation>{names}: {said}</translation>
</message>
<message numerus="yes">
<source>{names}; and {n} more</source>
<translation>
<numerusform>{names}; und noch {n}</numerusform>
<numerusform>{names}; und {n} weitere</numerusform>
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
<translation>{name} gibt es schon. Wählen Sie einen anderen Namen.</translation>
</message>
<message>
<source>{name} cannot be kept with this value of {what}; nothing was changed</source>
<translation>{name} kann mit diesem Wert von {what} nicht gespeichert werden; es wurde nichts geändert</translation>
</message>
<message>
<source>{name} has another value for {parameter}, and what is kept of it belongs to that; make a connection of another name</source>
<translation>{name} hat für {parameter} einen anderen Wert, und was davon hier ist, gehört zu diesem; legen Sie eine Verbindung mit anderem Namen an</translation>
</message>
<message>
<source>{name} has changes that are not sent yet ({count}); nothing was removed. --yes writes them to a file and forgets {name}</source>
<translation>{name} hat Änderungen, die noch nicht gesendet sind ({count}); es wurde nichts entfernt. --yes schreibt sie in eine Datei und entfernt {name}</translation>
</message>
<message>
<source>{name} has changes that wait for {address} ({count}); let them be sent, or forget {name}, before its address is changed</source>
<translation>{name} hat Änderungen, die auf {address} warten ({count}); lassen Sie sie senden oder entfernen Sie {name}, bevor die Adresse geändert wird</translation>
</message>
<message>
<source>{name} has no list of {resource}: its service does not offer one</source>
<translation>{name} hat keine Liste von {resource}: Der Dienst bietet keine an</translation>
</message>
<message>
<source>{name} is no status of an order. There are: {known}.</source>
<translation>{name} ist kein Zustand einer Bestellung. Möglich sind: {known}.</translation>
</message>
<message>
<source>{name} is not available, pending or sold.</source>
<translation>{name} ist weder verfügbar noch reserviert noch verkauft.</translation>
</message>
<message>
<source>{name} is read-only; nothing was saved. `connect --read-write` ends that</source>
<translation>{name} darf nur gelesen werden; es wurde nichts gespeichert. `connect --read-write` beendet das</translation>
</message>
<message>
<source>{name} was closed in the running program before anything was saved; say it again</source>
<translation>{name} wurde im laufenden Programm geschlossen, bevor etwas gespeichert war; versuchen Sie es noch einmal</translation>
</message>
<message>
<source>{name}, view of {list}</source>
<translation>{name}, Ansicht der Liste {list}</translation>
</message>
<message>
<source>{name}: in stock {mine} here, {theirs} elsewhere</source>
<translation>{name}: Bestand {mine} hier, {theirs} anderswo</translation>
</message>
<message>
<source>{name}: renamed, because its name was taken</source>
<translation>{name}: umbenannt, weil der Name schon vergeben war</translation>
</message>
<message>
<source>{name}: {after}, {who}</source>
<translation>{name}: {after}, {who}</translation>
</message>
<message>
<source>{name}: {before} → {after}, {who}</source>
<translation>{name}: {before} → {after}, {who}</translation>
</message>
<message>
<source>{name}: {lasts}, {gone}</source>
<translation>{name}: {lasts}, {gone}</translation>
</message>
<message>
<source>{name}: {low} of {total} low</source>
<translation>{name}: {low} von {total} knapp</translation>
</message>
<message>
<source>{name}: {mine} here, {theirs} elsewhere</source>
<translation>{name}: {mine} hier, {theirs} anderswo</translation>
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
<translation>{number} getippt</translation>
</message>
<message numerus="yes">
<source>{n} already have this value.</source>
<translation>
<numerusform>{n} hat diesen Wert schon.</numerusform>
<numerusform>{n} haben diesen Wert schon.</numerusform>
</translation>
</message>
<message>
<source>{n} are called {name}: a column with ids is needed.</source>
<translation>{n} heißen {name}: Eine Spalte mit IDs ist nötig.</translation>
</message>
<message numerus="yes">
<source>{n} bar codes added</source>
<translation>
<numerusform>{n} Barcode hinzugefügt</numerusform>
<numerusform>{n} Barcodes hinzugefügt</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} bar codes written to {file}</source>
<translation>
<numerusform>{n} Barcode in {file} geschrieben</numerusform>
<numerusform>{n} Barcodes in {file} geschrieben</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} being sent</source>
<translation>
<numerusform>{n} wird gesendet</numerusform>
<numerusform>{n} werden gesendet</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} cannot be redone: {why}</source>
<translation>
<numerusform>{n} kann nicht wiederholt werden: {why}</numerusform>
<numerusform>{n} können nicht wiederholt werden: {why}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} cannot be saved: see the note.</source>
<translation>
<numerusform>{n} kann nicht gespeichert werden: siehe Anmerkung.</numerusform>
<numerusform>{n} können nicht gespeichert werden: siehe Anmerkung.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} cannot be undone: {why}</source>
<translation>
<numerusform>{n} kann nicht rückgängig gemacht werden: {why}</numerusform>
<numerusform>{n} können nicht rückgängig gemacht werden: {why}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} categories</source>
<translation>
<numerusform>{n} Kategorie</numerusform>
<numerusform>{n} Kategorien</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} categories do not exist: {names}.</source>
<translation>
<numerusform>Die Kategorie {names} gibt es nicht.</numerusform>
<numerusform>{n} Kategorien gibt es nicht: {names}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} categories will be added: {names}.</source>
<translation>
<numerusform>Eine Kategorie wird angelegt: {names}.</numerusform>
<numerusform>{n} Kategorien werden angelegt: {names}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} cells have values that cannot be saved.</source>
<translation>
<numerusform>{n} Zelle hat einen Wert, der nicht gespeichert werden kann.</numerusform>
<numerusform>{n} Zellen haben Werte, die nicht gespeichert werden können.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changed meanwhile and are left out: see the note.</source>
<translation>
<numerusform>{n} wurde inzwischen geändert und wird ausgelassen: siehe Anmerkung.</numerusform>
<numerusform>{n} wurden inzwischen geändert und werden ausgelassen: siehe Anmerkung.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes</source>
<translation>
<numerusform>{n} Änderung</numerusform>
<numerusform>{n} Änderungen</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes are in {file}</source>
<translation>
<numerusform>{n} Änderung ist in {file}</numerusform>
<numerusform>{n} Änderungen sind in {file}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes are saved on this computer and stay paused until you resume them.</source>
<translation>
<numerusform>{n} Änderung ist auf diesem Computer gespeichert und bleibt pausiert, bis Sie sie fortsetzen.</numerusform>
<numerusform>{n} Änderungen sind auf diesem Computer gespeichert und bleiben pausiert, bis Sie sie fortsetzen.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes are saved on this computer.</source>
<translation>
<numerusform>{n} Änderung ist auf diesem Computer gespeichert.</numerusform>
<numerusform>{n} Änderungen sind auf diesem Computer gespeichert.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes need attention</source>
<translation>
<numerusform>{n} Änderung ist zu klären</numerusform>
<numerusform>{n} Änderungen sind zu klären</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes of a rehearsal wait to be looked at.</source>
<translation>
<numerusform>{n} Änderung eines Probelaufs wartet darauf, angesehen zu werden.</numerusform>
<numerusform>{n} Änderungen eines Probelaufs warten darauf, angesehen zu werden.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes saved on this computer and not sent; they go out with the next `petstore-desktop sync`, import or booking, or while the window is open</source>
<translation>
<numerusform>{n} Änderung auf diesem Computer gespeichert und nicht gesendet; sie geht mit dem nächsten `petstore-desktop sync`, Import oder der nächsten Buchung hinaus, oder solange das Fenster offen ist</numerusform>
<numerusform>{n} Änderungen auf diesem Computer gespeichert und nicht gesendet; sie gehen mit dem nächsten `petstore-desktop sync`, Import oder der nächsten Buchung hinaus, oder solange das Fenster offen ist</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes that were refused or in conflict there are not kept.</source>
<translation>
<numerusform>{n} Änderung, die dort abgelehnt wurde oder in Konflikt war, wird nicht behalten.</numerusform>
<numerusform>{n} Änderungen, die dort abgelehnt wurden oder in Konflikt waren, werden nicht behalten.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes wait, all saved on this computer.</source>
<translation>
<numerusform>{n} Änderung wartet, auf diesem Computer gespeichert.</numerusform>
<numerusform>{n} Änderungen warten, alle auf diesem Computer gespeichert.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} changes were made for the service at {address}, which this connection used before.</source>
<translation>
<numerusform>Eine Änderung wurde für den Dienst unter {address} vorgenommen, den diese Verbindung zuvor verwendet hat.</numerusform>
<numerusform>{n} Änderungen wurden für den Dienst unter {address} vorgenommen, den diese Verbindung zuvor verwendet hat.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} codes are unknown.</source>
<translation>
<numerusform>{n} Code ist unbekannt.</numerusform>
<numerusform>{n} Codes sind unbekannt.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} codes have no room on their label.</source>
<translation>
<numerusform>{n} Code hat auf seinem Etikett keinen Platz.</numerusform>
<numerusform>{n} Codes haben auf ihrem Etikett keinen Platz.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} columns beyond the last are left out.</source>
<translation>
<numerusform>{n} Spalte hinter der letzten wird ausgelassen.</numerusform>
<numerusform>{n} Spalten hinter der letzten werden ausgelassen.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} come back with new ids</source>
<translation>
<numerusform>{n} kommt mit neuer ID zurück</numerusform>
<numerusform>{n} kommen mit neuen IDs zurück</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} come back with new ids and without their stock</source>
<translation>
<numerusform>{n} kommt mit neuer ID und ohne Bestand zurück</numerusform>
<numerusform>{n} kommen mit neuen IDs und ohne ihren Bestand zurück</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} complete</source>
<translation>
<numerusform>{n} erledigt</numerusform>
<numerusform>{n} erledigt</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} completed</source>
<comment>after a number of orders placed</comment>
<translation>
<numerusform>{n} erledigt</numerusform>
<numerusform>{n} erledigt</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} conflicts</source>
<translation>
<numerusform>{n} Konflikt</numerusform>
<numerusform>{n} Konflikte</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} counted pets have no stock entry, and are not booked.</source>
<translation>
<numerusform>{n} gezähltes Tier hat keinen Bestandseintrag und wird nicht gebucht.</numerusform>
<numerusform>{n} gezählte Tiere haben keinen Bestandseintrag und werden nicht gebucht.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} days</source>
<translation>
<numerusform>{n} Tag</numerusform>
<numerusform>{n} Tage</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} days ago</source>
<translation>
<numerusform>vor {n} Tag</numerusform>
<numerusform>vor {n} Tagen</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} days late</source>
<translation>
<numerusform>{n} Tag überfällig</numerusform>
<numerusform>{n} Tage überfällig</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} decided</source>
<translation>
<numerusform>Entschieden</numerusform>
<numerusform>{n} entschieden</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} decided: yours are discarded</source>
<translation>
<numerusform>Entschieden: Ihr Wert wird verworfen</numerusform>
<numerusform>{n} entschieden: Ihre Werte werden verworfen</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} decided: yours are sent again</source>
<translation>
<numerusform>Entschieden: Ihr Wert wird erneut gesendet</numerusform>
<numerusform>{n} entschieden: Ihre Werte werden erneut gesendet</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} differ.</source>
<translation>
<numerusform>{n} weicht ab.</numerusform>
<numerusform>{n} weichen ab.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} discarded</source>
<translation>
<numerusform>{n} verworfen</numerusform>
<numerusform>{n} verworfen</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} due today</source>
<translation>
<numerusform>{n} heute fällig</numerusform>
<numerusform>{n} heute fällig</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} elsewhere</source>
<translation>
<numerusform>{n} anderswo</numerusform>
<numerusform>{n} anderswo</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} empty cells are left out.</source>
<translation>
<numerusform>{n} leere Zelle wird ausgelassen.</numerusform>
<numerusform>{n} leere Zellen werden ausgelassen.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} filters</source>
<translation>
<numerusform>{n} Filter</numerusform>
<numerusform>{n} Filter</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} follow when the service has answered</source>
<translation>
<numerusform>{n} folgt, sobald der Dienst geantwortet hat</numerusform>
<numerusform>{n} folgen, sobald der Dienst geantwortet hat</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} further changes are saved with them: deletions, and stock of new pets.</source>
<translation>
<numerusform>{n} weitere Änderung wird mit ihnen gespeichert: eine Löschung oder der Bestand eines neuen Tiers.</numerusform>
<numerusform>{n} weitere Änderungen werden mit ihnen gespeichert: Löschungen und der Bestand neuer Tiere.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} gone</source>
<comment>records that are no longer there</comment>
<translation>
<numerusform>{n} entfallen</numerusform>
<numerusform>{n} entfallen</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} gone in {days}, {left} in stock</source>
<translation>
<numerusform>{n} abgegangen ({days}), {left} im Bestand</numerusform>
<numerusform>{n} abgegangen ({days}), {left} im Bestand</numerusform>
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
<numerusform>{n} hat offene Bestellungen, die bleiben, wie sie sind.</numerusform>
<numerusform>{n} haben offene Bestellungen, die bleiben, wie sie sind.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} here</source>
<translation>
<numerusform>{n} hier</numerusform>
<numerusform>{n} hier</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} here and elsewhere</source>
<translation>
<numerusform>{n} hier und anderswo</numerusform>
<numerusform>{n} hier und anderswo</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} ids have signs that Code 128 does not have: no code there. Choose QR.</source>
<translation>
<numerusform>{n} ID hat Zeichen, die es in Code 128 nicht gibt: dort kein Code. Wählen Sie QR.</numerusform>
<numerusform>{n} IDs haben Zeichen, die es in Code 128 nicht gibt: dort kein Code. Wählen Sie QR.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} in conflict</source>
<translation>
<numerusform>{n} in Konflikt</numerusform>
<numerusform>{n} in Konflikt</numerusform>
</translation>
</message>
<message>
<source>{n} in stock</source>
<translation>{n} im Bestand</translation>
</message>
<message numerus="yes">
<source>{n} labels are in {file}</source>
<translation>
<numerusform>{n} Etikett ist in {file}</numerusform>
<numerusform>{n} Etiketten sind in {file}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} labels for {pets}</source>
<translation>
<numerusform>{n} Etikett für {pets}</numerusform>
<numerusform>{n} Etiketten für {pets}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} labels here, {after} after it.</source>
<comment>on a sheet</comment>
<translation>
<numerusform>{n} Etikett hier, {after} danach.</numerusform>
<numerusform>{n} Etiketten hier, {after} danach.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} labels here.</source>
<comment>on a sheet</comment>
<translation>
<numerusform>{n} Etikett hier.</numerusform>
<numerusform>{n} Etiketten hier.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} labels sent to the printer</source>
<translation>
<numerusform>{n} Etikett an den Drucker gesendet</numerusform>
<numerusform>{n} Etiketten an den Drucker gesendet</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} lines are not ticked, because their stock may have changed before they were counted: recount, or decide.</source>
<translation>
<numerusform>{n} Position ist nicht angehakt, weil sich ihr Bestand vor dem Zählen geändert haben kann: neu zählen oder entscheiden.</numerusform>
<numerusform>{n} Positionen sind nicht angehakt, weil sich ihr Bestand vor dem Zählen geändert haben kann: neu zählen oder entscheiden.</numerusform>
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
<numerusform>{n} weiterer Eintrag</numerusform>
<numerusform>{n} weitere</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} more requests may be sent this minute.</source>
<translation>
<numerusform>In dieser Minute kann noch {n} Anfrage gesendet werden.</numerusform>
<numerusform>In dieser Minute können noch {n} Anfragen gesendet werden.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} more requests may be sent today.</source>
<translation>
<numerusform>Heute kann noch {n} Anfrage gesendet werden.</numerusform>
<numerusform>Heute können noch {n} Anfragen gesendet werden.</numerusform>
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
<numerusform>{n} Name ist zu lang und wird gekürzt. Wählen Sie größere Etiketten.</numerusform>
<numerusform>{n} Namen sind zu lang und werden gekürzt. Wählen Sie größere Etiketten.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} need attention</source>
<translation>
<numerusform>{n} zu klären</numerusform>
<numerusform>{n} zu klären</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} new orders</source>
<translation>
<numerusform>{n} neue Bestellung</numerusform>
<numerusform>{n} neue Bestellungen</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} new pets</source>
<translation>
<numerusform>{n} neues Tier</numerusform>
<numerusform>{n} neue Tiere</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} new pets have a stock. You can book it once the service has created them.</source>
<translation>
<numerusform>{n} neues Tier hat einen Bestand. Sie können ihn buchen, sobald der Dienst das Tier angelegt hat.</numerusform>
<numerusform>{n} neue Tiere haben einen Bestand. Sie können ihn buchen, sobald der Dienst die Tiere angelegt hat.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} of them cannot be read; the list has what is left of them.</source>
<translation>
<numerusform>Eine davon kann nicht gelesen werden; die Liste enthält, was von ihr übrig ist.</numerusform>
<numerusform>{n} davon können nicht gelesen werden; die Liste enthält, was von ihnen übrig ist.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} of them undone</source>
<translation>
<numerusform>davon {n} rückgängig gemacht</numerusform>
<numerusform>davon {n} rückgängig gemacht</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} of {total} are left out.</source>
<translation>
<numerusform>{n} von {total} wird ausgelassen.</numerusform>
<numerusform>{n} von {total} werden ausgelassen.</numerusform>
</translation>
</message>
<message>
<source>{n} of {total} counted</source>
<translation>{n} von {total} gezählt</translation>
</message>
<message>
<source>{n} of {total} counted.</source>
<translation>{n} von {total} gezählt.</translation>
</message>
<message numerus="yes">
<source>{n} of {total} selected</source>
<translation>
<numerusform>{n} von {total} ausgewählt</numerusform>
<numerusform>{n} von {total} ausgewählt</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} on order.</source>
<translation>
<numerusform>{n} bestellt.</numerusform>
<numerusform>{n} bestellt.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} open</source>
<translation>
<numerusform>{n} offen</numerusform>
<numerusform>{n} offen</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} open orders</source>
<translation>
<numerusform>{n} offene Bestellung</numerusform>
<numerusform>{n} offene Bestellungen</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} open orders have no date.</source>
<translation>
<numerusform>{n} offene Bestellung hat kein Datum.</numerusform>
<numerusform>{n} offene Bestellungen haben kein Datum.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} orders</source>
<translation>
<numerusform>{n} Bestellung</numerusform>
<numerusform>{n} Bestellungen</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} orders are overdue</source>
<translation>
<numerusform>{n} Bestellung ist überfällig</numerusform>
<numerusform>{n} Bestellungen sind überfällig</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} orders completed</source>
<translation>
<numerusform>{n} Bestellung erledigt</numerusform>
<numerusform>{n} Bestellungen erledigt</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} orders placed</source>
<translation>
<numerusform>{n} Bestellung aufgegeben</numerusform>
<numerusform>{n} Bestellungen aufgegeben</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} other categories</source>
<translation>
<numerusform>{n} andere Kategorie</numerusform>
<numerusform>{n} andere Kategorien</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} other changes</source>
<translation>
<numerusform>{n} andere Änderung</numerusform>
<numerusform>{n} andere Änderungen</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} other shops need attention</source>
<translation>
<numerusform>In einem anderen Geschäft ist etwas zu klären</numerusform>
<numerusform>In {n} anderen Geschäften ist etwas zu klären</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} others</source>
<translation>
<numerusform>{n} anderes</numerusform>
<numerusform>{n} andere</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} others: {counted} of {total}</source>
<translation>
<numerusform>{n} weitere: {counted} von {total}</numerusform>
<numerusform>{n} weitere: {counted} von {total}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} overdue</source>
<translation>
<numerusform>{n} überfällig</numerusform>
<numerusform>{n} überfällig</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pages, {size}.</source>
<translation>
<numerusform>{n} Seite, {size}.</numerusform>
<numerusform>{n} Seiten, {size}.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pasted lines were left out. The first is: {line}</source>
<translation>
<numerusform>{n} eingefügte Zeile wurde ausgelassen. Die erste ist: {line}</numerusform>
<numerusform>{n} eingefügte Zeilen wurden ausgelassen. Die erste ist: {line}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pets</source>
<translation>
<numerusform>{n} Tier</numerusform>
<numerusform>{n} Tiere</numerusform>
</translation>
</message>
<message>
<source>{n} pets are called {name}: enter the id.</source>
<translation>{n} Tiere heißen {name}: Geben Sie die ID ein.</translation>
</message>
<message numerus="yes">
<source>{n} pets are low</source>
<translation>
<numerusform>{n} Tier ist knapp</numerusform>
<numerusform>{n} Tiere sind knapp</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pets are not counted.</source>
<translation>
<numerusform>{n} Tier ist nicht gezählt.</numerusform>
<numerusform>{n} Tiere sind nicht gezählt.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pets have no id yet, so their labels have no code. Print them once the pets are sent.</source>
<translation>
<numerusform>{n} Tier hat noch keine ID, deshalb hat sein Etikett keinen Code. Drucken Sie es, sobald das Tier gesendet ist.</numerusform>
<numerusform>{n} Tiere haben noch keine ID, deshalb haben ihre Etiketten keinen Code. Drucken Sie sie, sobald die Tiere gesendet sind.</numerusform>
</translation>
</message>
<message>
<source>{n} pets have the code {code}</source>
<translation>{n} Tiere haben den Code {code}</translation>
</message>
<message numerus="yes">
<source>{n} pets sold</source>
<translation>
<numerusform>{n} Tier verkauft</numerusform>
<numerusform>{n} Tiere verkauft</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} pieces</source>
<translation>
<numerusform>{n} Stück</numerusform>
<numerusform>{n} Stück</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} problems found.</source>
<translation>
<numerusform>Ein Problem gefunden.</numerusform>
<numerusform>{n} Probleme gefunden.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} records are set aside and not counted.</source>
<translation>
<numerusform>{n} Datensatz ist beiseitegelegt und nicht gezählt.</numerusform>
<numerusform>{n} Datensätze sind beiseitegelegt und nicht gezählt.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} records have a slash in their ids: they are shown, and cannot be changed here.</source>
<translation>
<numerusform>{n} Datensatz hat einen Schrägstrich in seiner ID: Er wird angezeigt und kann hier nicht geändert werden.</numerusform>
<numerusform>{n} Datensätze haben einen Schrägstrich in ihren IDs: Sie werden angezeigt und können hier nicht geändert werden.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} records may be gone</source>
<translation>
<numerusform>{n} Datensatz vielleicht gelöscht</numerusform>
<numerusform>{n} Datensätze vielleicht gelöscht</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} records set aside</source>
<translation>
<numerusform>{n} Datensatz beiseitegelegt</numerusform>
<numerusform>{n} Datensätze beiseitegelegt</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} refused</source>
<translation>
<numerusform>{n} abgelehnt</numerusform>
<numerusform>{n} abgelehnt</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} remarks on the document</source>
<translation>
<numerusform>{n} Hinweis zum Dokument</numerusform>
<numerusform>{n} Hinweise zum Dokument</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests</source>
<translation>
<numerusform>{n} Anfrage</numerusform>
<numerusform>{n} Anfragen</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests a day</source>
<translation>
<numerusform>{n} Anfrage pro Tag</numerusform>
<numerusform>{n} Anfragen pro Tag</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests a minute</source>
<translation>
<numerusform>{n} Anfrage pro Minute</numerusform>
<numerusform>{n} Anfragen pro Minute</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests a minute, {day} a day</source>
<translation>
<numerusform>{n} Anfrage pro Minute, {day} pro Tag</numerusform>
<numerusform>{n} Anfragen pro Minute, {day} pro Tag</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests are left of this minute’s.</source>
<translation>
<numerusform>Von den Anfragen dieser Minute ist noch {n} übrig.</numerusform>
<numerusform>Von den Anfragen dieser Minute sind noch {n} übrig.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests are left of today’s.</source>
<translation>
<numerusform>Von den heutigen Anfragen ist noch {n} übrig.</numerusform>
<numerusform>Von den heutigen Anfragen sind noch {n} übrig.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests are on the clipboard, without the key</source>
<translation>
<numerusform>{n} Anfrage ist in der Zwischenablage, ohne den Schlüssel</numerusform>
<numerusform>{n} Anfragen sind in der Zwischenablage, ohne den Schlüssel</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} requests.</source>
<translation>
<numerusform>{n} Anfrage.</numerusform>
<numerusform>{n} Anfragen.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows are in {file}</source>
<translation>
<numerusform>{n} Zeile ist in {file}</numerusform>
<numerusform>{n} Zeilen sind in {file}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows are read.</source>
<translation>
<numerusform>{n} Zeile ist gelesen.</numerusform>
<numerusform>{n} Zeilen sind gelesen.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows are the same only by changes that the service has not taken</source>
<translation>
<numerusform>{n} Zeile ist nur durch Änderungen gleich, die der Dienst nicht übernommen hat</numerusform>
<numerusform>{n} Zeilen sind nur durch Änderungen gleich, die der Dienst nicht übernommen hat</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows beyond the end are left out.</source>
<translation>
<numerusform>{n} Zeile hinter dem Ende wird ausgelassen.</numerusform>
<numerusform>{n} Zeilen hinter dem Ende werden ausgelassen.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows copied</source>
<translation>
<numerusform>{n} Zeile kopiert</numerusform>
<numerusform>{n} Zeilen kopiert</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows copied with Id, Name and To order.</source>
<translation>
<numerusform>{n} Zeile mit ID, Name und „Zu bestellen“ kopiert.</numerusform>
<numerusform>{n} Zeilen mit ID, Name und „Zu bestellen“ kopiert.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows hold changes that are not sent yet.</source>
<translation>
<numerusform>{n} Zeile enthält eine Änderung, die noch nicht gesendet ist.</numerusform>
<numerusform>{n} Zeilen enthalten Änderungen, die noch nicht gesendet sind.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows were imported before, and are not added again.</source>
<translation>
<numerusform>{n} Zeile wurde schon importiert und wird nicht noch einmal angelegt.</numerusform>
<numerusform>{n} Zeilen wurden schon importiert und werden nicht noch einmal angelegt.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows were imported before, and are not made again without --again</source>
<translation>
<numerusform>{n} Zeile wurde schon importiert und wird ohne --again nicht noch einmal angelegt</numerusform>
<numerusform>{n} Zeilen wurden schon importiert und werden ohne --again nicht noch einmal angelegt</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} rows were imported before, and make new records.</source>
<translation>
<numerusform>{n} Zeile wurde schon importiert und legt einen neuen Datensatz an.</numerusform>
<numerusform>{n} Zeilen wurden schon importiert und legen neue Datensätze an.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} saved views cannot be used by this version; they are kept</source>
<translation>
<numerusform>{n} gespeicherte Ansicht kann von dieser Version nicht verwendet werden; sie bleibt erhalten</numerusform>
<numerusform>{n} gespeicherte Ansichten können von dieser Version nicht verwendet werden; sie bleiben erhalten</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} scans</source>
<translation>
<numerusform>{n} Scan</numerusform>
<numerusform>{n} Scans</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} sent</source>
<translation>
<numerusform>{n} gesendet</numerusform>
<numerusform>{n} gesendet</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} sheets</source>
<comment>of labels</comment>
<translation>
<numerusform>{n} Blatt</numerusform>
<numerusform>{n} Blätter</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} so far</source>
<translation>
<numerusform>{n} bisher</numerusform>
<numerusform>{n} bisher</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} stock entries</source>
<translation>
<numerusform>{n} Bestandseintrag</numerusform>
<numerusform>{n} Bestandseinträge</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} to come</source>
<translation>
<numerusform>{n} künftig</numerusform>
<numerusform>{n} künftig</numerusform>
</translation>
</message>
<message>
<source>{n} to go</source>
<translation>noch {n}</translation>
</message>
<message numerus="yes">
<source>{n} today</source>
<translation>
<numerusform>{n} heute</numerusform>
<numerusform>{n} heute</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unconfirmed</source>
<translation>
<numerusform>{n} unbestätigt</numerusform>
<numerusform>{n} unbestätigt</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} undone</source>
<translation>
<numerusform>{n} rückgängig gemacht</numerusform>
<numerusform>{n} rückgängig gemacht</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unknown codes.</source>
<translation>
<numerusform>{n} unbekannter Code.</numerusform>
<numerusform>{n} unbekannte Codes.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unsent</source>
<translation>
<numerusform>{n} nicht gesendet</numerusform>
<numerusform>{n} nicht gesendet</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unsent changes are left out: the copy shows what the service last said.</source>
<translation>
<numerusform>{n} nicht gesendete Änderung wird ausgelassen: Die Kopie zeigt, was der Dienst zuletzt gemeldet hat.</numerusform>
<numerusform>{n} nicht gesendete Änderungen werden ausgelassen: Die Kopie zeigt, was der Dienst zuletzt gemeldet hat.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} unsent elsewhere</source>
<translation>
<numerusform>{n} anderswo nicht gesendet</numerusform>
<numerusform>{n} anderswo nicht gesendet</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} values are others now than you saw: they are left out.</source>
<translation>
<numerusform>{n} Wert ist jetzt ein anderer, als Sie gesehen haben: Er wird ausgelassen.</numerusform>
<numerusform>{n} Werte sind jetzt andere, als Sie gesehen haben: Sie werden ausgelassen.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} views added</source>
<translation>
<numerusform>{n} Ansicht hinzugefügt</numerusform>
<numerusform>{n} Ansichten hinzugefügt</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} views written to {file}</source>
<translation>
<numerusform>{n} Ansicht in {file} geschrieben</numerusform>
<numerusform>{n} Ansichten in {file} geschrieben</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} wait for earlier changes that need your decision</source>
<translation>
<numerusform>{n} wartet auf eine frühere Änderung, über die Sie entscheiden</numerusform>
<numerusform>{n} warten auf frühere Änderungen, über die Sie entscheiden</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} waiting</source>
<translation>
<numerusform>{n} wartet</numerusform>
<numerusform>{n} warten</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} ways to use this service end soon, first: {what}, on {day}, {left}</source>
<translation>
<numerusform>{n} Nutzungsart dieses Dienstes endet bald, zuerst: {what}, am {day}, {left}</numerusform>
<numerusform>{n} Nutzungsarten dieses Dienstes enden bald, zuerst: {what}, am {day}, {left}</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} wrong rows copied</source>
<translation>
<numerusform>{n} falsche Zeile kopiert</numerusform>
<numerusform>{n} falsche Zeilen kopiert</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} {pet}, to ship on {day}.</source>
<translation>
<numerusform>{n} {pet}, am {day} zu versenden.</numerusform>
<numerusform>{n} {pet}, am {day} zu versenden.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} {pet}, to ship today.</source>
<translation>
<numerusform>{n} {pet}, heute zu versenden.</numerusform>
<numerusform>{n} {pet}, heute zu versenden.</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{n} {pet}, without a ship date.</source>
<translation>
<numerusform>{n} {pet}, ohne Versanddatum.</numerusform>
<numerusform>{n} {pet}, ohne Versanddatum.</numerusform>
</translation>
</message>
<message>
<source>{n} {status}</source>
<translation>{n} {status}</translation>
</message>
<message>
<source>{n}+</source>
<comment>at least so many</comment>
<translation>{n}+</translation>
</message>
<message>
<source>{old} becomes {new}</source>
<translation>{old} wird zu {new}</translation>
</message>
<message>
<source>{page}: manual of Pet Store Desktop</source>
<translation>{page}: Handbuch von Pet Store Desktop</translation>
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
<translation>{path} (des Dienstes unter {address})</translation>
</message>
<message>
<source>{path} cannot be opened or made; see that the folder is there and that you may read and write in it, or choose another one with --data-dir</source>
<translation>{path} kann nicht geöffnet oder angelegt werden; sehen Sie nach, ob der Ordner da ist und Sie darin lesen und schreiben dürfen, oder wählen Sie mit --data-dir einen anderen</translation>
</message>
<message>
<source>{path} holds no certificate; nothing was changed. Give the certificates of an authority in PEM form, with BEGIN CERTIFICATE in it</source>
<translation>{path} enthält kein Zertifikat; es wurde nichts geändert. Geben Sie die Zertifikate einer Stelle im PEM-Format an, mit BEGIN CERTIFICATE darin</translation>
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
<translation>{pet}: {n}</translation>
</message>
<message numerus="yes">
<source>{pieces} in {n} lines</source>
<translation>
<numerusform>{pieces} in {n} Position</numerusform>
<numerusform>{pieces} in {n} Positionen</numerusform>
</translation>
</message>
<message>
<source>{plan}: {limits}</source>
<translation>{plan}: {limits}</translation>
</message>
<message>
<source>{reading} · {more}</source>
<translation>{reading} · {more}</translation>
</message>
<message>
<source>{reason} Not saved. In its cell, correct it, or press Esc to discard.</source>
<translation>{reason} Nicht gespeichert. Korrigieren Sie den Wert in seiner Zelle oder drücken Sie Esc, um ihn zu verwerfen.</translation>
</message>
<message numerus="yes">
<source>{records} still name the old id</source>
<translation>
<numerusform>{records} nennt noch die alte ID</numerusform>
<numerusform>{records} nennen noch die alte ID</numerusform>
</translation>
</message>
<message numerus="yes">
<source>{record} and {n} more changes</source>
<translation>
<numerusform>{record} und {n} weitere Änderung</numerusform>
<numerusform>{record} und {n} weitere Änderungen</numerusform>
</translation>
</message>
<message>
<source>{record} has changed at the service; the new values are shown</source>
<translation>{record} hat sich beim Dienst geändert; die neuen Werte werden angezeigt</translation>
</message>
<message>
<source>{record} is no longer there</source>
<translation>{record} ist nicht mehr vorhanden</translation>
</message>
<message>
<source>{record} is unchanged, live at {time}</source>
<translation>{record} ist unverändert, live um {time}</translation>
</message>
<message>
<source>{record} was changed elsewhere; nothing was overwritten</source>
<translation>{record} wurde anderswo geändert; nichts wurde überschrieben</translation>
</message>
<message>
<source>{record} was deleted here ({time})</source>
<translation>{record} wurde hier gelöscht ({time})</translation>
</message>
<message>
<source>{record} was removed elsewhere (noticed {time})</source>
<translation>{record} wurde anderswo entfernt (bemerkt {time})</translation>
</message>
<message>
<source>{record}, {value}, {who}, {when}</source>
<translation>{record}, {value}, {who}, {when}</translation>
</message>
<message>
<source>{record}: cannot be ticked</source>
<translation>{record}: kann nicht angehakt werden</translation>
</message>
<message>
<source>{record}: left out</source>
<translation>{record}: ausgelassen</translation>
</message>
<message>
<source>{record}: the list of the service shows only a part of all, and not this one</source>
<translation>{record}: Die Liste des Dienstes zeigt nur einen Teil von allem und diesen Datensatz nicht</translation>
</message>
<message>
<source>{record}: ticked</source>
<translation>{record}: angehakt</translation>
</message>
<message>
<source>{record}: whether it was done is not known</source>
<translation>{record}: Ob es erledigt ist, ist nicht bekannt</translation>
</message>
<message>
<source>{record}: {change}</source>
<translation>{record}: {change}</translation>
</message>
<message>
<source>{record}: {things}</source>
<translation>{record}: {things}</translation>
</message>
<message>
<source>{requests}, until {time}</source>
<translation>{requests}, bis {time}</translation>
</message>
<message>
<source>{rows} are in {file}</source>
<translation>{rows} nach {file} exportiert</translation>
</message>
<message>
<source>{rows}, looked up one by one</source>
<translation>{rows}, einzeln abgerufen</translation>
</message>
<message>
<source>{rows}, reading: {progress}</source>
<translation>{rows}, wird gelesen: {progress}</translation>
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
<translation>{said}; der Dienst nennt stattdessen {other}.</translation>
</message>
<message>
<source>{said}; then {other} is used instead.</source>
<translation>{said}; danach wird {other} verwendet.</translation>
</message>
<message>
<source>{said}; {other} is used instead.</source>
<translation>{said}; stattdessen wird {other} verwendet.</translation>
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
<translation>{sent} von {n} gesendet</translation>
</message>
<message numerus="yes">
<source>{sent}, {n} refused for too many requests</source>
<translation>
<numerusform>{sent}, {n} wegen zu vieler Anfragen abgelehnt</numerusform>
<numerusform>{sent}, {n} wegen zu vieler Anfragen abgelehnt</numerusform>
</translation>
</message>
<message>
<source>{shop} changes other fields of it, but not this one (File &gt; Operations &gt; Fields shows which).</source>
<translation>{shop} ändert andere Felder davon, aber dieses nicht (welche, zeigt Datei &gt; Operationen &gt; Felder).</translation>
</message>
<message>
<source>{shop} counts its pets by status only</source>
<translation>{shop} zählt seine Tiere nur nach Status</translation>
</message>
<message>
<source>{shop} does not offer a list that is needed to tell.</source>
<translation>{shop} bietet eine Liste nicht an, die dafür gebraucht wird.</translation>
</message>
<message>
<source>{shop} does not offer this list</source>
<translation>{shop} bietet diese Liste nicht an</translation>
</message>
<message>
<source>{shop} does not offer this.</source>
<translation>{shop} bietet dies nicht an.</translation>
</message>
<message>
<source>{shop} does not tell a field that is needed to tell.</source>
<translation>{shop} nennt ein Feld nicht, das dafür gebraucht wird.</translation>
</message>
<message>
<source>{shop} has no such status. Choose one of its own in the cell.</source>
<translation>{shop} kennt diesen Status nicht. Wählen Sie in der Zelle einen der vorhandenen.</translation>
</message>
<message>
<source>{shop} is forgotten</source>
<translation>{shop} ist entfernt</translation>
</message>
<message>
<source>{shop} needs attention</source>
<translation>{shop}: etwas zu klären</translation>
</message>
<message>
<source>{shop} no longer offers this.</source>
<translation>{shop} bietet dies nicht mehr an.</translation>
</message>
<message>
<source>{shop} — Pet Store Desktop</source>
<translation>{shop} – Pet Store Desktop</translation>
</message>
<message>
<source>{shop}, a change {waits}</source>
<translation>{shop}, eine Änderung {waits}</translation>
</message>
<message>
<source>{shop}, as of {time}</source>
<translation>{shop}, Stand {time}</translation>
</message>
<message>
<source>{shop}, live</source>
<translation>{shop}, live</translation>
</message>
<message>
<source>{shop}, never read</source>
<translation>{shop}, nie gelesen</translation>
</message>
<message>
<source>{shop}, no answer for {time}</source>
<translation>{shop}, seit {time} keine Antwort</translation>
</message>
<message>
<source>{shop}, offline since {time}</source>
<translation>{shop}, offline seit {time}</translation>
</message>
<message>
<source>{shop}, printed {time}</source>
<translation>{shop}, gedruckt {time}</translation>
</message>
<message>
<source>{shop}, {state}</source>
<translation>{shop}, {state}</translation>
</message>
<message>
<source>{shop}: a key is needed; unsent changes wait</source>
<translation>{shop}: Ein Schlüssel wird gebraucht; nicht gesendete Änderungen warten</translation>
</message>
<message>
<source>{shop}: sending has stopped; unsent changes are kept</source>
<translation>{shop}: Das Senden ist angehalten; nicht gesendete Änderungen bleiben erhalten</translation>
</message>
<message>
<source>{shop}: switch to another shop</source>
<translation>{shop}: zu einem anderen Geschäft wechseln</translation>
</message>
<message>
<source>{shop}: the file of your changes was damaged</source>
<translation>{shop}: Die Datei mit Ihren Änderungen war beschädigt</translation>
</message>
<message>
<source>{shop}: the key is banned for a while; unsent changes wait</source>
<translation>{shop}: Der Schlüssel ist eine Zeit lang gesperrt; nicht gesendete Änderungen warten</translation>
</message>
<message>
<source>{shop}: your last change could not be saved</source>
<translation>{shop}: Ihre letzte Änderung konnte nicht gespeichert werden</translation>
</message>
<message>
<source>{shop}: {changes} unsent.</source>
<translation>{shop}: {changes} nicht gesendet.</translation>
</message>
<message numerus="yes">
<source>{shop}: {n} changes need attention</source>
<translation>
<numerusform>{shop}: {n} Änderung zu klären</numerusform>
<numerusform>{shop}: {n} Änderungen zu klären</numerusform>
</translation>
</message>
<message>
<source>{shown} of {all}</source>
<translation>{shown} / {all}</translation>
</message>
<message>
<source>{shown} of {total}</source>
<translation>{shown} von {total}</translation>
</message>
<message>
<source>{stays}. What you did before it can still be undone:</source>
<translation>{stays}. Was Sie davor getan haben, kann noch rückgängig gemacht werden:</translation>
</message>
<message>
<source>{step}, {who}</source>
<translation>{step}, {who}</translation>
</message>
<message>
<source>{text} is not a value of this column.</source>
<translation>{text} ist kein Wert dieser Spalte.</translation>
</message>
<message>
<source>{text} is not a whole number.</source>
<translation>{text} ist keine ganze Zahl.</translation>
</message>
<message>
<source>{text} is not {expected}.</source>
<translation>{text} passt hier nicht; erwartet wird {expected}.</translation>
</message>
<message numerus="yes">
<source>{then} of {n} operations can be used with this choice. No longer:</source>
<translation>
<numerusform>{then} von {n} Operation kann mit dieser Auswahl verwendet werden. Nicht mehr:</numerusform>
<numerusform>{then} von {n} Operationen können mit dieser Auswahl verwendet werden. Nicht mehr:</numerusform>
</translation>
</message>
<message>
<source>{things} are matched by {how}. Empty cells change nothing.</source>
<translation>{things} werden zugeordnet nach: {how}. Leere Zellen ändern nichts.</translation>
</message>
<message>
<source>{things} could not be read</source>
<translation>{things} konnten nicht gelesen werden</translation>
</message>
<message>
<source>{things} were searched; not all are here.</source>
<translation>Durchsucht: {things}; nicht alles ist hier.</translation>
</message>
<message>
<source>{time} (no time zone given)</source>
<translation>{time} (keine Zeitzone angegeben)</translation>
</message>
<message>
<source>{time} tomorrow</source>
<translation>morgen {time}</translation>
</message>
<message>
<source>{time}: {count} in stock</source>
<translation>{time}: {count} im Bestand</translation>
</message>
<message>
<source>{title}, {count}: {sum}</source>
<translation>{title}, {count}: {sum}</translation>
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
<translation>{typed} ist kein Wert für einen Parameter; geben Sie ihn als NAME=WERT an</translation>
</message>
<message>
<source>{typed}, {scans}</source>
<translation>{typed}, {scans}</translation>
</message>
<message>
<source>{url} answers.</source>
<translation>{url} antwortet.</translation>
</message>
<message>
<source>{url} itself was not reached.</source>
<translation>{url} selbst wurde nicht erreicht.</translation>
</message>
<message>
<source>{used} of {limit}</source>
<translation>{used} von {limit}</translation>
</message>
<message>
<source>{value} is no day; give it as 2026-11-01</source>
<translation>{value} ist kein Tag; schreiben Sie ihn wie 2026-11-01</translation>
</message>
<message>
<source>{value} is no time; give 12h, 7d, 2w or 2026-11-20T08:00</source>
<translation>{value} ist keine Zeit; schreiben Sie 12h, 7d, 2w oder 2026-11-20T08:00</translation>
</message>
<message>
<source>{value} is not a whole number; use digits only, such as 1000</source>
<translation>{value} ist keine ganze Zahl; nur Ziffern, zum Beispiel 1000</translation>
</message>
<message>
<source>{value} is too large; at most {most}</source>
<translation>{value} ist zu groß; höchstens {most}</translation>
</message>
<message>
<source>{value} would allow no request; leave the option out if it is not known</source>
<translation>{value} würde keine Anfrage erlauben; lassen Sie die Option weg, wenn der Wert nicht bekannt ist</translation>
</message>
<message>
<source>{value}, refused</source>
<translation>{value}, abgelehnt</translation>
</message>
<message>
<source>{view} ({count})</source>
<translation>{view} ({count})</translation>
</message>
<message>
<source>{view} is in {file}</source>
<translation>{view} ist in {file}</translation>
</message>
<message>
<source>{view}, changed</source>
<translation>{view}, geändert</translation>
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
<translation>{what} (siehe {program} --help)</translation>
</message>
<message>
<source>{what} ({source})</source>
<translation>{what} ({source})</translation>
</message>
<message>
<source>{what} Nothing was written.</source>
<translation>{what} Es wurde nichts geschrieben.</translation>
</message>
<message>
<source>{what} The program chooses the id: this service does not.</source>
<translation>{what} Das Programm wählt die ID, denn dieser Dienst tut es nicht.</translation>
</message>
<message>
<source>{what} The program chooses the ids: this service does not.</source>
<translation>{what} Das Programm wählt die IDs, denn dieser Dienst tut es nicht.</translation>
</message>
<message>
<source>{what} ends on {day}, {left}</source>
<translation>{what} endet am {day}, {left}</translation>
</message>
<message>
<source>{what} ends on {day}, {left}; {other} is used instead</source>
<translation>{what} endet am {day}, {left}; stattdessen wird {other} verwendet</translation>
</message>
<message>
<source>{what} is complete.</source>
<translation>{what} ist erledigt.</translation>
</message>
<message>
<source>{what} is complete. Its ship date is {day}.</source>
<translation>{what} ist erledigt. Ihr Versanddatum ist {day}.</translation>
</message>
<message>
<source>{what} is due on {day}. It is not fulfilled yet.</source>
<translation>{what} ist am {day} fällig. Sie ist noch nicht erledigt.</translation>
</message>
<message>
<source>{what} is due today. It is not fulfilled yet.</source>
<translation>{what} ist heute fällig. Sie ist noch nicht erledigt.</translation>
</message>
<message>
<source>{what} is due tomorrow. It is not fulfilled yet.</source>
<translation>{what} ist morgen fällig. Sie ist noch nicht erledigt.</translation>
</message>
<message>
<source>{what} is known, but the service does not give its state.</source>
<translation>{what} ist bekannt, aber der Dienst nennt ihren Zustand nicht.</translation>
</message>
<message>
<source>{what} is not fulfilled yet. The service gives no ship date.</source>
<translation>{what} ist noch nicht erledigt. Der Dienst nennt kein Versanddatum.</translation>
</message>
<message>
<source>{what} is {said}, says the service.</source>
<translation>{what} ist {said}, sagt der Dienst.</translation>
</message>
<message>
<source>{what} was due on {day}. It is not fulfilled yet and is {late}.</source>
<translation>{what} war am {day} fällig. Sie ist noch nicht erledigt und {late}.</translation>
</message>
<message>
<source>{what}, saved on this computer</source>
<translation>{what}, auf diesem Computer gespeichert</translation>
</message>
<message>
<source>{what}, sent</source>
<translation>{what}, gesendet</translation>
</message>
<message>
<source>{what}, {pets}</source>
<translation>{what}, {pets}</translation>
</message>
<message>
<source>{what}, {pets}, begun {time}</source>
<translation>{what}, {pets}, begonnen {time}</translation>
</message>
<message>
<source>{what}, {pets}, closed {time}</source>
<translation>{what}, {pets}, abgeschlossen {time}</translation>
</message>
<message>
<source>{what}: from {before} to {after}</source>
<translation>{what}: von {before} zu {after}</translation>
</message>
<message>
<source>{what}: {before}, then {after}</source>
<translation>{what}: {before}, dann {after}</translation>
</message>
<message>
<source>{what}: {value}</source>
<translation>{what}: {value}</translation>
</message>
<message>
<source>{which}: {why}</source>
<translation>{which}: {why}</translation>
</message>
<message>
<source>{why} Until then this filter hides nothing.</source>
<translation>{why} Bis dahin blendet dieser Filter nichts aus.</translation>
</message>
<message>
<source>{words} New: {news}</source>
<translation>{words} Neu: {news}</translation>
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
<translation>„{text}“</translation>
</message>
<message>
<source>“{words}”</source>
<translation>„{words}“</translation>
</message>
<message numerus="yes">
<source>−{n} pieces</source>
<translation>
<numerusform>−{n} Stück</numerusform>
<numerusform>−{n} Stück</numerusform>
</translation>
</message>
<message>
<source>≈ does not count others with the same key.</source>
<translation>≈ zählt andere mit demselben Schlüssel nicht mit.</translation>
</message>
<message numerus="yes">
<source>≈ {n} days left</source>
<translation>
<numerusform>noch ≈ {n} Tag</numerusform>
<numerusform>noch ≈ {n} Tage</numerusform>
</translation>
</message>
</context>
</TS>
